/** Cancelled requests are answered at once: whoever sent them no longer waits, and has most likely sent the next one. */
import {
  type CancellationToken,
  type Disposable,
  LSPErrorCodes,
  ResponseError,
} from 'vscode-languageserver/node';

/**
 * What `work` gives, unless the request is cancelled before: then it may be partial, and is not waited for. Work that has
 * begun in other threads ends by itself.
 *
 * @throws ResponseError the protocol's answer to a cancelled request
 */
export async function untilCancelled<T>(token: CancellationToken, work: () => T | Promise<T>): Promise<T> {
  if (token.isCancellationRequested) throw cancelled();
  let listening: Disposable | undefined;
  const cancellation = new Promise<never>((_, reject) => {
    listening = token.onCancellationRequested(() => reject(cancelled()));
  });
  try {
    const result = await Promise.race([work(), cancellation]);
    if (token.isCancellationRequested) throw cancelled();
    return result;
  } finally {
    listening?.dispose();
  }
}

function cancelled(): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestCancelled, 'The request was cancelled.');
}
