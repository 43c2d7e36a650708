/**
 * Keys on their way from the editor to the server. The editor writes everything that it sends to its log when it is asked
 * to trace the connection, so a key goes sealed: encrypted under a secret that both sides have from the moment the
 * process was started, and that never crosses the connection.
 */
import { createDecipheriv } from 'node:crypto';

/** Where the process finds the secret, in base64. */
export const SECRET_VARIABLE = 'HOPSCOPE_SEAL';

/**
 * The key; null when it was not sealed under that secret.
 *
 * @param sealed nonce of 12 bytes, tag of 16 bytes and AES-256-GCM of the key, in base64
 */
export function unseal(sealed: string, secret: string | undefined): string | null {
  if (secret === undefined) return null;
  const bytes = Buffer.from(sealed, 'base64');
  try {
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(secret, 'base64'), bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
