/**
 * What runs in the thread of a user's method. Plain JavaScript that Node takes as it is, so that it needs no bundle of its
 * own. What a memory is made of is frozen after each update; what cannot be frozen is no memory, since blocks are to be played
 * against one and the same.
 */
export const program = `
const { parentPort, workerData } = require('node:worker_threads');
const port = parentPort;
const freeze = (value) => {
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one !== 'object' || one === null || Object.isFrozen(one) || ArrayBuffer.isView(one)) continue;
    for (const kind of [Map, Set, WeakMap, WeakSet, Promise]) {
      if (one instanceof kind) throw new Error('a memory is plain data, and a ' + kind.name + ' is none');
    }
    Object.freeze(one);
    left.push(...Object.values(one));
  }
  return value;
};
let memory;
const ready = import(workerData.url).then(async ({ default: method }) => {
  for (const name of ['start', 'context', 'update']) {
    if (typeof method?.[name] !== 'function') throw new Error('its default export has no function ' + name);
  }
  memory = freeze(await method.start());
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
  async update(block) { memory = freeze(await (await ready).update(memory, block)); },
};
port.on('message', async ({ id, name, value }) => {
  try {
    port.postMessage({ id, value: await work[name](value) });
  } catch (error) {
    let words = 'it threw something that has no text';
    try { words = String(error?.message ?? error).slice(0, 1000); } catch {}
    port.postMessage({ id, error: words });
  }
});
`;
