/** How data are fetched over the network, through a proxy where the environment names one. */
import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';
import type { Download } from './fetch.ts';

/** Milliseconds without a byte after which a connection counts as lost. */
const patience = 30_000;

type Variables = Readonly<Record<string, string | undefined>>;

/** Follows no redirects: the sources have none, and whatever came from elsewhere would be refused by its hash. */
export function openDownload(env: Variables = process.env): {
  readonly download: Download;
  close(): Promise<void>;
} {
  const times = { headersTimeout: patience, bodyTimeout: patience, connect: { timeout: patience } };
  const agents = new Map<string, Dispatcher>();
  const agentFor = (address: string): Dispatcher => {
    const proxy = proxyOf(address, env) ?? '';
    const agent =
      agents.get(proxy) ?? (proxy === '' ? new Agent(times) : new ProxyAgent({ ...times, uri: proxy }));
    agents.set(proxy, agent);
    return agent;
  };
  return {
    async download(address, most, signal) {
      const { statusCode, body } = await request(address, { dispatcher: agentFor(address), signal });
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of body) {
        const bytes = Buffer.from(chunk);
        chunks.push(bytes);
        size += bytes.length;
        // More than was published is wrong already.
        if (size > most) break;
      }
      return { status: statusCode, bytes: Buffer.concat(chunks) };
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.close()));
    },
  };
}

/** The proxy for an address, from the variables that most programs know; null for none. */
export function proxyOf(address: string, env: Variables): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const named = (name: string) => env[name] || env[name.toUpperCase()] || '';
  const proxy = named(url.protocol === 'https:' ? 'https_proxy' : 'http_proxy');
  if (proxy === '') return null;
  const spared = named('no_proxy')
    .split(',')
    .map((host) => host.trim().replace(/^\*?\./, ''));
  const isSpared = spared.some(
    (host) => host === '*' || (host !== '' && (url.hostname === host || url.hostname.endsWith(`.${host}`))),
  );
  return isSpared ? null : proxy;
}
