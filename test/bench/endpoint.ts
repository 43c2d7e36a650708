/** An endpoint that answers every chat request at once and the same. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** An endpoint in a thread of its own, so that its work is not counted on either side. */
const script = `
  const { createServer } = require('node:http');
  const message = { role: 'assistant', content: 'ACTION: READ 17' };
  const usage = { prompt_tokens: 1000, completion_tokens: 5, total_tokens: 1005 };
  const body = JSON.stringify({
    id: 'c', object: 'chat.completion', created: 0, model: 'm',
    choices: [{ index: 0, message, finish_reason: 'stop' }], usage,
  });
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, headers).end(body));
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port));
`;

/** Starts it on a free port of this machine. */
export async function startEndpoint(): Promise<{ readonly baseUrl: string; close(): Promise<void> }> {
  const worker = new Worker(script, { eval: true });
  const [port] = await once(worker, 'message');
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    async close() {
      await worker.terminate();
    },
  };
}
