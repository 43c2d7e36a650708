/** A progress bar on a terminal; silent everywhere else. */
import { visible } from '../engine/text/visible.ts';
import { type Screen, widthOf } from './style.ts';

export interface Progress {
  /** `done` of the work is finished, in the unit of `total`. */
  update(done: number): void;
  /** Takes the bar away, e.g. before a message; the next update draws it again. */
  clear(): void;
}

const silent: Progress = { update: () => undefined, clear: () => undefined };

/** Cells of the bar, the first that leave room for the figures. */
const bars = [24, 12, 6];
/** Milliseconds between two drawings: smooth to the eye, nothing to the terminal. */
const interval = 80;

/**
 * @param total number of things to do, or undefined when nobody knows.
 * @param now milliseconds of any clock that does not go back.
 */
export function openProgress(
  stream: Screen & { write(text: string): unknown },
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
      const line = progressLine(label, done, total, drawn - started, widthOf(stream) - 1);
      stream.write(`\r\u001b[K${line}`);
    },
    clear() {
      if (shown) stream.write('\r\u001b[K');
      shown = false;
    },
  };
}

/** One line of a progress bar, at most `width` columns; `elapsed` in milliseconds. A narrow one says less. */
export function progressLine(
  label: string,
  done: number,
  total: number | undefined,
  elapsed: number,
  width = 79,
): string {
  const rate = elapsed > 0 ? (done * 1000) / elapsed : 0;
  const speed = rate >= 10 ? `${Math.round(rate)}/s` : `${rate.toFixed(1)}/s`;
  const name = shorten(visible(label), Math.floor(width / 2));
  const figures = total === undefined ? String(done) : `${done}/${total}`;
  const isOpen = total !== undefined && rate > 0 && done < total;
  const left = isOpen ? [`${Math.ceil((total - done) / rate)} s left`] : [];
  const lines = [
    ...(total === undefined
      ? []
      : bars.map((cells) => [name, bar(done, total, cells), figures, speed, ...left])),
    [name, figures, speed, ...left],
    [name, figures],
  ].map((parts) => parts.join('  '));
  return lines.find((line) => [...line].length <= width) ?? shorten(figures, width);
}

function bar(done: number, total: number, cells: number): string {
  const filled = total > 0 ? Math.round((Math.min(done, total) / total) * cells) : cells;
  return '█'.repeat(filled) + '░'.repeat(cells - filled);
}

function shorten(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, Math.max(0, most - 1)).join('')}…`;
}
