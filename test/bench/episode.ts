/** How long a person waits for the episode panel, and what it weighs: in a real workbench, if there can be one here. */
import { spawnSync } from 'node:child_process';
import { atMost, median, type Row, untargeted } from './measure.ts';

interface Figures {
  readonly openings: readonly number[];
  /** Of that, from the moment the editor has begun to load the page. */
  readonly pages: readonly number[];
  /** What the editor takes in the same way for a page with nothing in it, each right before the opening of the panel. */
  readonly bare: readonly number[];
  readonly steps: readonly number[];
  readonly chunks: number;
  readonly grown: number;
}

export function episodeRows(): Row[] {
  const { stdout } = spawnSync(process.execPath, ['test/bench/episode.mjs'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const figures: Figures | null = JSON.parse(stdout || 'null');
  if (figures === null) return [];
  const { openings, pages, bare, steps, chunks, grown } = figures;
  const ours = openings.map((opening, at) => opening - (bare[at] ?? Number.NaN));
  const sorted = [...steps].sort((a, b) => a - b);
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
  const on = `${chunks} chunks, 128k tokens`;
  return [
    atMost(
      `episode panel, command to paint, ${median(pages).toFixed(0)} ms of it in the page (${on})`,
      median(openings),
      400,
      'ms',
      0,
    ),
    untargeted('a page with nothing in it, opened in turns with it', median(bare), 'ms', 0),
    untargeted('the panel beyond such a page', median(ours), 'ms', 0),
    atMost(`episode panel, step to paint, p95 of ${steps.length} (${on})`, p95, 50, 'ms', 1),
    atMost(`episode panel, heap after ${steps.length} steps (${on})`, grown, 60, 'MB', 1),
  ];
}
