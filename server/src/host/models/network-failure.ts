/** Reads the errors of `fetch`: no connection, a connection that broke, a name nobody knows. */
import { type AttemptFailure, tidy } from './attempt.ts';

type Meaning = Pick<AttemptFailure, 'retriable' | 'detail'>;

/** By code of the system, of TLS or of the client. What is not here is taken for a connection that broke. */
const meanings: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: { retriable: true, detail: 'refused' },
  ENOTFOUND: { retriable: true, detail: 'unknown-host' },
  EAI_AGAIN: { retriable: true, detail: 'unknown-host' },
  CERT_HAS_EXPIRED: { retriable: false, detail: 'certificate' },
  DEPTH_ZERO_SELF_SIGNED_CERT: { retriable: false, detail: 'certificate' },
  SELF_SIGNED_CERT_IN_CHAIN: { retriable: false, detail: 'certificate' },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { retriable: false, detail: 'certificate' },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { retriable: false, detail: 'certificate' },
  ERR_TLS_CERT_ALTNAME_INVALID: { retriable: false, detail: 'certificate' },
  ERR_SSL_WRONG_VERSION_NUMBER: { retriable: false },
  EPROTO: { retriable: false },
  HPE_INVALID_CONSTANT: { retriable: false },
};

/** Understands what `fetch` or the reading of a body threw. */
export function networkFailure(error: unknown): AttemptFailure {
  const chain = causes(error);
  const codes = chain.flatMap(codeOf);
  const known = codes.find((code) => Object.hasOwn(meanings, code));
  const meaning = (known === undefined ? undefined : meanings[known]) ?? { retriable: true };
  // The innermost error is the one that says what happened; those around it say "fetch failed".
  const words = chain.reverse().find(({ message }) => message !== '')?.message ?? '';
  const code = known ?? codes[0];
  const message = code === undefined || words.includes(code) ? words : `${words} (${code})`;
  return { code: 'connection', message: tidy(message) || 'The connection failed.', ...meaning };
}

/** An error, its cause, the cause of that, and so on; the first of several that happened together. */
function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  let at = error;
  while (at instanceof Error && chain.length < 8) {
    chain.push(at);
    at = at.cause ?? (at instanceof AggregateError ? at.errors[0] : undefined);
  }
  return chain;
}

function codeOf(error: Error): string[] {
  return 'code' in error && typeof error.code === 'string' ? [error.code] : [];
}
