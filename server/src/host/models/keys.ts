/**
 * API keys, each bound to the origin (scheme, host and port) it may be sent to. Nothing here is ever written or shown.
 *
 * A base URL can come from a place that somebody else wrote, such as a run folder that is resumed. So a key follows
 * what its owner said about it and never the URL that happens to be asked.
 */
import type { Reply } from '../../engine/environments/chat.ts';
import { originOf } from './base-url.ts';
import { findPreset } from './presets.ts';

/** The key for an origin, or null when there is none. */
export type KeyFinder = (origin: string) => string | null;

type Variables = Readonly<Record<string, string | undefined>>;

const openaiOrigin = 'https://api.openai.com';

/**
 * Finds keys in environment variables. The first that is set and bound to the origin counts:
 *
 * 1. `HOPSCOPE_API_KEY_<HOST>`, see {@link keyVariable};
 * 2. `HOPSCOPE_API_KEY`, bound to the origin of `HOPSCOPE_BASE_URL` (a URL or the name of a preset) where that is set,
 *    else to that of `chosen`;
 * 3. `OPENAI_API_KEY`, bound to `https://api.openai.com`.
 *
 * @param chosen the checked base URL that the user gave in this very call, not one from a file; null for none.
 */
export function environmentKeys(variables: Variables, chosen: string | null): KeyFinder {
  const read = (name: string | null) => (name === null ? '' : (variables[name] ?? '').trim());
  const given = read('HOPSCOPE_BASE_URL');
  const base = given === '' ? chosen : (findPreset(given)?.baseUrl ?? given);
  const bound = base !== null && URL.canParse(base) ? originOf(base) : null;
  return (origin) => {
    const own = read(keyVariable(origin));
    if (own !== '') return own;
    const general = read('HOPSCOPE_API_KEY');
    if (general !== '' && origin === bound) return general;
    const openai = read('OPENAI_API_KEY');
    return openai !== '' && origin === openaiOrigin ? openai : null;
  };
}

/**
 * The variable that holds the key of one origin: the host in capitals with `_` for a dot and `__` for a hyphen, then
 * the port unless it is that of https, e.g. `HOPSCOPE_API_KEY_API_EXAMPLE_COM` or `HOPSCOPE_API_KEY_LOCALHOST_8000`.
 * Different hosts give different names, since no part of a host begins or ends with a hyphen. Null for hosts that no
 * variable can name, such as `[::1]`.
 */
export function keyVariable(origin: string): string | null {
  const { protocol, hostname, port } = new URL(origin);
  if (!/^[a-z0-9]+(?:[.-]+[a-z0-9]+)*$/.test(hostname)) return null;
  const host = hostname.replaceAll('-', '__').replaceAll('.', '_').toUpperCase();
  const shown = port === '' && protocol === 'http:' ? '80' : port;
  return `HOPSCOPE_API_KEY_${host}${shown === '' ? '' : `_${shown}`}`;
}

/** Whether a key can be sent as a header at all. One with a line break or a typographic character cannot. */
export function isSendable(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key);
}

/** `text` without `key`, for texts of an endpoint that may repeat what it was sent. */
export function withoutKey(text: string, key: string | null): string {
  return key === null || key === '' ? text : text.replaceAll(key, '[API key]');
}

/** A reply without `key`: an endpoint that echoes what it gets must not write it into files. */
export function replyWithoutKey(reply: Reply, key: string | null): Reply {
  if (key === null || key === '' || !JSON.stringify(reply).includes(key)) return reply;
  const { text, reasoning, toolCalls } = reply;
  return {
    ...reply,
    text: withoutKey(text, key),
    ...(reasoning === undefined ? {} : { reasoning: withoutKey(reasoning, key) }),
    ...(toolCalls === undefined
      ? {}
      : { toolCalls: toolCalls.map((call) => ({ ...call, arguments: withoutKey(call.arguments, key) })) }),
  };
}
