/** Where an endpoint is: the base URL as users give it, made safe to store, to show and to bind a key to. */
import { accept, type Checked, refuse } from '../../engine/problem.ts';

/**
 * Checks a base URL and gives it in one spelling, without a slash at its end. A pasted address of the chat interface
 * itself (`…/chat/completions`) is cut back to its base.
 *
 * Names and passwords, queries and fragments are refused: they would end up in run folders and could hold a secret.
 */
export function parseBaseUrl(text: string): Checked<string> {
  const given = text.trim();
  if (!URL.canParse(given)) {
    return refuse('The base URL is no URL; it looks like http://localhost:8000/v1.');
  }
  const url = new URL(given);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return refuse(`The base URL must begin with https:// or http://, not ${url.protocol}//.`);
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('The base URL must not hold a name or password; set an API key instead.');
  }
  if (url.search !== '' || url.hash !== '') {
    return refuse('The base URL must end with its path, without "?" or "#".');
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
  return accept(url.origin + path.replace(/\/+$/, ''));
}

/** Scheme, host and port of a checked base URL: what a key is bound to. */
export function originOf(baseUrl: string): string {
  return new URL(baseUrl).origin;
}

/** Whether an endpoint is on this machine. */
export function isLoopback(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d+){3}$/.test(hostname)
  );
}
