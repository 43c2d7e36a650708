/** Behind each step's own line: how full the working context is after it, and the reward so far. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { InlayHint, type Range } from 'vscode-languageserver-types';
import type { Environment } from '../engine/environments/environment.ts';
import type { ReplayStep } from '../engine/transcripts/replay.ts';
import type { Analysis } from './transcript-analysis.ts';

/** Hints of the steps that begin within `range`. */
export function transcriptHints(document: TextDocument, range: Range, analysis: Analysis): InlayHint[] {
  const { replay, environment, parsed, isOpen } = analysis;
  if (!replay || !environment) return [];
  const hints: InlayHint[] = [];
  for (const [index, block] of parsed.layout.blocks.entries()) {
    const position = document.positionAt(block.text.marker.end);
    if (position.line > range.end.line) break;
    if (position.line < range.start.line || block.kind !== 'step') continue;
    const step = replay.steps[index];
    const isLast = index === parsed.layout.blocks.length - 1;
    const label = step
      ? labelAfter(environment, step)
      : isOpen && isLast
        ? openLabel(environment, replay.last)
        : '';
    if (label !== '') hints.push({ ...InlayHint.create(position, label), paddingLeft: true });
  }
  return hints;
}

/** Labels of steps, kept as long as their steps. */
const kept = new WeakMap<ReplayStep, string>();

function labelAfter(environment: Environment, step: ReplayStep): string {
  if (step.fault !== null) return 'not played';
  const known = kept.get(step);
  if (known !== undefined) return known;
  const { reward, done, stop } = environment.outcome(step.after);
  const scored = `reward ${Number(reward.toFixed(4))}${done ? ` (${stop})` : ''}`;
  const gauge = gaugeText(environment, step.after);
  const label = gauge === '' ? scored : `${gauge} · ${scored}`;
  kept.set(step, label);
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
