/** A progress bar on a terminal; silent everywhere else. */

export interface Progress {
  /** `done` of the work is finished, in the unit of `total`. */
  update(done: number): void;
  /** Takes the bar away, e.g. before a message; the next update draws it again. */
  clear(): void;
}

const silent: Progress = { update: () => undefined, clear: () => undefined };

const cells = 24;
/** Milliseconds between two drawings: smooth to the eye, nothing to the terminal. */
const interval = 80;

/**
 * @param total number of things to do, or undefined when nobody knows.
 * @param now milliseconds of any clock that does not go back.
 */
export function openProgress(
  stream: { readonly isTTY?: boolean; write(text: string): unknown },
  label: string,
  total: number | undefined,
  now: () => number = () => performance.now(),
): Progress {
  if (!stream.isTTY || process.env['TERM'] === 'dumb') return silent;
  const started = now();
  let drawn = Number.NEGATIVE_INFINITY;
  let shown = false;
  return {
    update(done) {
      if (now() - drawn < interval && done !== total) return;
      drawn = now();
      shown = true;
      stream.write(`\r\u001b[K${progressLine(label, done, total, drawn - started)}`);
    },
    clear() {
      if (shown) stream.write('\r\u001b[K');
      shown = false;
    },
  };
}

/** One line of a progress bar; `elapsed` in milliseconds. */
export function progressLine(
  label: string,
  done: number,
  total: number | undefined,
  elapsed: number,
): string {
  const rate = elapsed > 0 ? (done * 1000) / elapsed : 0;
  const speed = rate >= 10 ? `${Math.round(rate)}/s` : `${rate.toFixed(1)}/s`;
  if (total === undefined) return `${label}  ${done}  ${speed}`;
  const filled = total > 0 ? Math.round((Math.min(done, total) / total) * cells) : cells;
  const bar = '█'.repeat(filled) + '░'.repeat(cells - filled);
  const left = rate > 0 && done < total ? `  ${Math.ceil((total - done) / rate)} s left` : '';
  return `${label}  ${bar}  ${done}/${total}  ${speed}${left}`;
}
