/** Behind each step's own line: how full the working context is after it, and the reward so far. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { InlayHint, Range } from 'vscode-languageserver-types';
import type { Environment } from '../../engine/environments/environment.ts';
import type { Replay, ReplayStep } from '../../engine/transcripts/replay.ts';
import type { Analysis } from './analysis.ts';

/**
 * Hints of the steps that begin within `range`. They are short: an editor cuts off what is longer than about forty
 * characters. They begin with a point, so that no digit of theirs seems to be one of the step's number.
 */
export function transcriptHints(document: TextDocument, range: Range, analysis: Analysis): InlayHint[] {
  const { replay, environment, parsed } = analysis;
  if (!replay || !environment) return [];
  const hints: InlayHint[] = [];
  for (const [index, block] of parsed.layout.blocks.entries()) {
    const position = document.positionAt(block.text.marker.end);
    if (position.line > range.end.line) break;
    if (position.line < range.start.line || block.kind !== 'step') continue;
    const said = hintOf(environment, replay, index);
    if (said.label !== '') hints.push({ position, paddingLeft: true, ...said, label: `· ${said.label}` });
  }
  return hints;
}

type Said = Pick<InlayHint, 'label' | 'tooltip'>;

/** What is said of steps, by the last event that belongs to each and as long as that stays. */
const kept = new WeakMap<ReplayStep, Said>();

function hintOf(environment: Environment, { steps, last: state }: Replay, index: number): Said {
  const step = steps[index];
  if (step === undefined) return { label: openLabel(environment, state) };
  if (step.fault !== null) return { label: 'not played' };
  // What a judge decided about a step is part of it.
  let last = step;
  for (let next = steps[index + 1], i = index + 1; next?.event.kind === 'verdict'; next = steps[++i]) {
    if (next.fault === null) last = next;
  }
  const known = kept.get(last);
  if (known !== undefined) return known;
  const { reward, done, stop } = (environment.commentary?.standing ?? environment.outcome)(last.after);
  const gauge = gaugeText(environment, last.after);
  const scored = `${done ? 'end, ' : ''}reward ${Number(reward.toFixed(4))}`;
  const label = gauge === '' ? scored : `${gauge} · ${scored}`;
  const said = done ? { label, tooltip: `The episode ends here: ${stop}.` } : { label };
  kept.set(last, said);
  return said;
}

function openLabel(environment: Environment, state: unknown): string {
  return environment.next(state).kind === 'nothing' ? 'not played' : gaugeText(environment, state);
}

/** E.g. `373/600 tokens`; empty for an environment without a gauge. */
export function gaugeText(environment: Environment, state: unknown): string {
  const gauge = environment.commentary?.gauge?.(state);
  return gauge ? `${gauge.used}/${gauge.limit} ${gauge.unit}` : '';
}
