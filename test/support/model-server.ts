/**
 * An OpenAI-compatible endpoint on this machine, for tests: speaks the protocol properly and misbehaves on demand.
 *
 *     const server = await startModelServer(() => ({ said: { text: 'ACTION: READ 1' } }));
 *     onTestFinished(server.close);
 *     openModel({ model: 'm', baseUrl: server.baseUrl }, …);
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { completion, events, type Said } from './model-answers.ts';

/** A request as it came in. */
export interface Seen {
  /** In the order of arrival, from 0. */
  readonly number: number;
  /** How many requests with the same method, path and body came before. */
  readonly before: number;
  readonly method: string;
  /** With the query, e.g. `/v1/chat/completions`. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came. */
  readonly text: string;
  /** The body as JSON; null when it is none. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/**
 * How the bytes of an answer go out.
 *
 * - `whole`: at once, with their length;
 * - `chunked`: without a length, in pieces of a few bytes, each in a turn of the event loop of its own;
 * - `cut`: half of them, then the connection is broken; `cut-chunked`: the same without a length;
 * - `cut-quietly`: half of them as if they were all, which only their content tells;
 * - `stall-headers`: nothing ever comes; `stall-body`: half of them, then nothing;
 * - `reset`: the connection is broken before the answer.
 */
export type Delivery =
  | 'whole'
  | 'chunked'
  | 'cut'
  | 'cut-chunked'
  | 'cut-quietly'
  | 'stall-headers'
  | 'stall-body'
  | 'reset';

/** What the endpoint does with a request: a reply of the model, or any other answer. */
export interface Answer {
  readonly said?: Said;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** In the place of a reply; objects go as JSON. */
  readonly body?: string | Buffer | object;
  readonly delivery?: Delivery;
  /** Awaited before the answer begins, and between its pieces where it has some. */
  readonly gate?: () => Promise<void>;
  /** So many bytes of rubbish, without a length, until the client has had enough. */
  readonly endless?: number;
}

export type Respond = (request: Seen) => Answer | Promise<Answer>;

export interface ModelServer {
  /** With the port of this server, e.g. `http://127.0.0.1:40000/v1`. */
  readonly baseUrl: string;
  readonly origin: string;
  /** Every request, headers included, unless recording was switched off. */
  readonly requests: readonly Seen[];
  /** How many chat requests came. */
  readonly count: number;
  /** The most chat requests that were under way at one time. */
  readonly mostAtOnce: number;
  close(): Promise<void>;
}

interface ServerOptions {
  /** Answers 401 to every request without it. */
  readonly key?: string;
  /** What `GET /v1/models` lists. */
  readonly models?: readonly string[];
  /** False keeps nothing of what came in, for long or fast runs. */
  readonly record?: boolean;
}

/** Starts a server on a free port of this machine. `respond` answers the chat requests that are well-formed. */
export async function startModelServer(respond: Respond, options: ServerOptions = {}): Promise<ModelServer> {
  const { key, models = ['test-model'], record = true } = options;
  const requests: Seen[] = [];
  const earlier = new Map<string, number>();
  let count = 0;
  let active = 0;
  let mostAtOnce = 0;
  let arrivals = 0;

  async function answerTo(seen: Seen): Promise<Answer> {
    if (key !== undefined && seen.headers.authorization !== `Bearer ${key}`) {
      return wrong(401, 'Incorrect API key provided.', 'invalid_api_key');
    }
    const path = seen.path.split('?')[0];
    if (path === '/v1/models' && seen.method === 'GET') {
      return { body: { object: 'list', data: models.map((id) => ({ id, object: 'model' })) } };
    }
    if (path !== '/v1/chat/completions') return wrong(404, `Unknown request URL: ${seen.method} ${path}.`);
    if (seen.method !== 'POST') return wrong(405, `Not allowed to ${seen.method} here.`);
    return isChat(seen) ? await respond(seen) : wrong(400, 'This is no chat request.');
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const number = arrivals++;
    const { method = '', url = '', headers } = request;
    const isChatPath = url.startsWith('/v1/chat/');
    if (isChatPath) {
      count++;
      mostAtOnce = Math.max(mostAtOnce, ++active);
      response.once('close', () => active--);
    }
    const text = await read(request);
    const same = createHash('sha1').update(`${method} ${url}\n${text}`).digest('base64');
    const before = earlier.get(same) ?? 0;
    earlier.set(same, before + 1);
    const seen: Seen = { number, before, method, path: url, headers, text, body: parse(text) };
    if (record) requests.push(seen);
    await send(await answerTo(seen), seen, response);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error) => {
      // A test's own mistake must not look like a fault of the connection.
      if (!response.headersSent) response.writeHead(400);
      response.end(`The test's answer failed: ${error}`);
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const origin = `http://127.0.0.1:${address.port}`;

  async function close(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  return {
    baseUrl: `${origin}/v1`,
    origin,
    requests,
    get count() {
      return count;
    },
    get mostAtOnce() {
      return mostAtOnce;
    },
    close,
  };
}

/** An error as OpenAI words it. */
export function wrong(
  status: number,
  message: string,
  code: string | null = null,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers, body: { error: { message, type: 'invalid_request_error', param: null, code } } };
}

async function send(answer: Answer, { body }: Seen, response: ServerResponse): Promise<void> {
  const { said, status = 200, headers = {}, delivery = 'whole', gate, endless } = answer;
  await gate?.();
  if (delivery === 'reset') response.socket?.destroy();
  if (delivery === 'reset' || delivery === 'stall-headers') return;
  if (endless !== undefined) {
    await pour(endless, response);
    return;
  }
  const isStream = said !== undefined && answer.body === undefined && body?.['stream'] === true;
  const type = isStream ? 'text/event-stream' : 'application/json';
  const pieces = isStream ? events(said, asked(body)).map((data) => `data: ${data}\n\n`) : [];
  const whole = isStream ? Buffer.from(pieces.join('')) : bytesOf(answer, body);
  const half = whole.subarray(0, whole.length >> 1);
  const isPlain = !isStream && ['whole', 'cut', 'stall-body'].includes(delivery);
  const length = { 'content-length': String(whole.length) };
  response.writeHead(status, { 'content-type': type, ...(isPlain ? length : {}), ...headers });
  switch (delivery) {
    case 'whole':
      if (isStream && gate !== undefined) {
        for (const piece of pieces) {
          response.write(piece);
          await gate();
        }
        response.end();
      } else response.end(whole);
      return;
    case 'chunked':
      for (let at = 0; at < whole.length; at += 5) {
        response.write(whole.subarray(at, at + 5));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
      return;
    case 'cut':
    case 'cut-chunked':
      response.write(half, () => response.socket?.destroy());
      return;
    case 'cut-quietly':
      response.end(half);
      return;
    case 'stall-body':
      response.write(half);
  }
}

async function pour(bytes: number, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  const closed = once(response, 'close');
  const piece = Buffer.alloc(256 * 1024, '{');
  for (let sent = 0; sent < bytes && !response.destroyed; sent += piece.length) {
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), closed]);
  }
  response.end();
}

function bytesOf({ said, body }: Answer, request: Seen['body']): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  if (Buffer.isBuffer(body)) return body;
  if (body !== undefined) return Buffer.from(JSON.stringify(body));
  return Buffer.from(said === undefined ? '' : JSON.stringify(completion(said, asked(request))));
}

function asked(body: Seen['body']) {
  const { model, messages, stream_options: options } = body ?? {};
  return {
    model: String(model),
    messages: Array.isArray(messages) ? messages : [],
    includeUsage:
      typeof options === 'object' &&
      options !== null &&
      'include_usage' in options &&
      options.include_usage === true,
  };
}

const roles = ['system', 'user', 'assistant', 'tool'];

function isChat({ headers, body }: Seen): boolean {
  const messages: unknown = body?.['messages'];
  return (
    headers['content-type'] === 'application/json' &&
    typeof body?.['model'] === 'string' &&
    Array.isArray(messages) &&
    messages.length > 0 &&
    messages.every(({ role, content }) => roles.includes(role) && typeof content === 'string')
  );
}

async function read(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

function parse(text: string): Seen['body'] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
