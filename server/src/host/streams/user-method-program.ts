/**
 * What runs in the thread of a user's method. Plain JavaScript that Node takes as it is, so that it needs no bundle of its
 * own. What a memory is made of is frozen after each update; what cannot be frozen is no memory, since blocks are to be played
 * against one and the same.
 */
export const program = `
const { parentPort, workerData } = require('node:worker_threads');
const port = parentPort;
const { inspect } = require('node:util');
const known = new WeakSet();
const isPlain = (one) => {
  if (Array.isArray(one)) return true;
  const above = Object.getPrototypeOf(one);
  return above === null || above === Object.prototype;
};
const freeze = (value, giver) => {
  if (value === undefined) throw new Error(giver + ' gave nothing, and has to give the memory; null is one');
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === 'function' || typeof one === 'symbol') {
      throw new Error('a memory is plain data, and a ' + typeof one + ' is none');
    }
    if (typeof one !== 'object' || one === null || known.has(one)) continue;
    if (!isPlain(one)) {
      const kind = String(Object.getPrototypeOf(one)?.constructor?.name || 'strange object').slice(0, 60);
      throw new Error('a memory is plain data (texts, numbers, lists, objects), and a ' + kind + ' is none');
    }
    Object.freeze(one);
    known.add(one);
    for (const inner of Object.values(one)) left.push(inner);
  }
  return value;
};
const wordsOf = (error) => {
  if (typeof error === 'string') return error;
  const message = error?.message;
  return typeof message === 'string' && message !== '' ? message : inspect(error, { depth: 3, breakLength: Infinity });
};
const told = (error) => {
  try {
    const stack = typeof error?.stack === 'string' ? error.stack.slice(0, 10_000) : '';
    return { error: wordsOf(error).slice(0, 1000), stack, isSyntax: error instanceof SyntaxError };
  } catch {
    return { error: 'it threw something that has no text' };
  }
};
let memory;
let isLoaded = false;
const ready = import(workerData.url).then(async ({ default: method }) => {
  for (const name of ['start', 'context', 'update']) {
    if (typeof method?.[name] !== 'function') throw new Error('its default export has no function ' + name);
  }
  isLoaded = true;
  memory = freeze(await method.start(), 'start');
  return method;
});
ready.catch(() => undefined);
const work = {
  async open() { await ready; },
  async context(task) {
    const text = await (await ready).context(memory, task);
    if (typeof text !== 'string') throw new Error('context gave no text');
    if (text.length > workerData.longestContext) {
      throw new Error('context gave a text of ' + text.length + ' characters, more than ' + workerData.longestContext);
    }
    return text;
  },
  async describe(longest) {
    const method = await ready;
    const text = typeof method.describe === 'function' ? await method.describe(memory) : JSON.stringify(memory, null, 1);
    return String(text ?? '').slice(-longest);
  },
  async update(block) { memory = freeze(await (await ready).update(memory, block), 'update'); },
};
port.on('message', async ({ id, name, value }) => {
  try {
    port.postMessage({ id, value: await work[name](value) });
  } catch (error) {
    const said = told(error);
    // One that is thrown while it works is about something that it reads.
    port.postMessage({ id, ...said, isSyntax: said.isSyntax === true && !isLoaded });
  }
});
`;
