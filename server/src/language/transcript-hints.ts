/** Behind each step's own line: how full the working context is after it, and the reward so far. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { InlayHint, type Range } from 'vscode-languageserver-types';
import type { Environment } from '../engine/environments/environment.ts';
import type { Replay, ReplayStep } from '../engine/transcripts/replay.ts';
import type { Analysis } from './transcript-analysis.ts';

/** Hints of the steps that begin within `range`. */
export function transcriptHints(document: TextDocument, range: Range, analysis: Analysis): InlayHint[] {
  const { replay, environment, parsed } = analysis;
  if (!replay || !environment) return [];
  const hints: InlayHint[] = [];
  for (const [index, block] of parsed.layout.blocks.entries()) {
    const position = document.positionAt(block.text.marker.end);
    if (position.line > range.end.line) break;
    if (position.line < range.start.line || block.kind !== 'step') continue;
    const label = labelOf(environment, replay, index);
    if (label !== '') hints.push({ ...InlayHint.create(position, label), paddingLeft: true });
  }
  return hints;
}

/** Labels by the last event that belongs to a step, kept as long as the event. */
const kept = new WeakMap<ReplayStep, string>();

function labelOf(environment: Environment, { steps, last: state }: Replay, index: number): string {
  const step = steps[index];
  if (step === undefined) return openLabel(environment, state);
  if (step.fault !== null) return 'not played';
  // What a judge decided about a step is part of it.
  let last = step;
  for (let next = steps[index + 1], i = index + 1; next?.event.kind === 'verdict'; next = steps[++i]) {
    if (next.fault === null) last = next;
  }
  const known = kept.get(last);
  if (known !== undefined) return known;
  const { reward, done, stop } = environment.outcome(last.after);
  const scored = `reward ${Number(reward.toFixed(4))}${done ? ` (${stop})` : ''}`;
  const gauge = gaugeText(environment, last.after);
  const label = gauge === '' ? scored : `${gauge} · ${scored}`;
  kept.set(last, label);
  return label;
}

function openLabel(environment: Environment, state: unknown): string {
  return environment.next(state).kind === 'nothing' ? 'not played' : gaugeText(environment, state);
}

/** E.g. `373/600 tokens`; empty for an environment without a gauge. */
export function gaugeText(environment: Environment, state: unknown): string {
  const gauge = environment.commentary?.gauge(state);
  return gauge ? `${gauge.used}/${gauge.limit} ${gauge.unit}` : '';
}
