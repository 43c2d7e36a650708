/** Keys on their way to the server: a trace of the connection shows them sealed. See the server's `sealed-key.ts`. */
import { createCipheriv, randomBytes } from 'node:crypto';

/** Made once for this window; the server gets it in its environment when it is started. */
const secret = randomBytes(32);

/** For the environment of the server's process. */
export const sealEnvironment: Readonly<Record<string, string>> = {
  HOPSCOPE_SEAL: secret.toString('base64'),
};

/** The key so that only the server that was started with {@link sealEnvironment} can read it. */
export function seal(key: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce);
  const body = Buffer.concat([cipher.update(key, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
}
