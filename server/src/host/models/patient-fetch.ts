/** How requests go out unless a test has another way. */
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, request } from 'undici';
import type { Bytes } from './body.ts';
import type { Incoming, Outgoing } from './transport.ts';

let agent: Agent | undefined;

/**
 * Does what `fetch` does for the requests of this folder, at a fraction of its cost, and without its time limits: those
 * would end slow models after five minutes whatever timeout is set. It has more patience for a connection too, which a
 * busy moment of this process can use up.
 */
export async function patientFetch(
  url: string,
  { method, headers, body, signal }: Outgoing,
): Promise<Incoming> {
  agent ??= new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 30_000 } });
  const answer = await request(url, {
    method: method === 'GET' ? 'GET' : 'POST',
    headers: { ...headers },
    body: body ?? null,
    signal,
    dispatcher: agent,
  });
  const get = (name: string) => {
    const value = answer.headers[name];
    return (Array.isArray(value) ? value[0] : value) ?? null;
  };
  return {
    status: answer.statusCode,
    headers: { get },
    body: unpacked(answer.body, get('content-encoding')),
  };
}

/** None of this is asked for, but some proxies pack whatever passes them. */
function unpacked(body: Readable, encoding: string | null): Bytes {
  const unpack =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'deflate'
        ? createInflate()
        : encoding === 'br'
          ? createBrotliDecompress()
          : null;
  if (unpack === null) return body;
  body.on('error', (error) => unpack.destroy(error));
  unpack.on('close', () => body.destroy());
  return body.pipe(unpack);
}
