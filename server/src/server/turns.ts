/** Long work in other threads takes turns: each piece takes all cores by itself, and memory for each of its threads. */
import type { CancellationToken } from 'vscode-languageserver/node';

/** Does `work` when it is its turn; work that was cancelled meanwhile gives up its turn, and undefined comes of it. */
export type Turns = <T>(token: CancellationToken, work: () => Promise<T>) => Promise<T | undefined>;

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (token, work) => {
    const before = last;
    const turn = before.then(() => (token.isCancellationRequested ? undefined : work()));
    last = turn.catch(() => undefined);
    return turn;
  };
}
