/** What a method is told of an episode: its record as text, and nothing that the agent did not see. */
import protocol from '../../../../../prompts/serving/protocol.json' with { type: 'json' };
import { rewardOf } from './episode.ts';
import { fill } from './fill.ts';
import type { State, Turn } from './state.ts';

const texts = protocol.record;

/** A number as the format `%g` prints it: six significant digits, no zeros behind. */
export function general(value: number): string {
  if (value === 0) return '0';
  const exponent = Number(value.toExponential(5).split('e')[1]);
  if (exponent >= -4 && exponent < 6) return String(Number(value.toPrecision(6)));
  const [digits = '', power = '0'] = value.toExponential(5).split('e');
  const sign = power.startsWith('-') ? '-' : '+';
  return `${Number(digits)}e${sign}${power.replace(/^[-+]/, '').padStart(2, '0')}`;
}

/** The line that tells the score. */
export function outcomeLine(reward: number): string {
  return fill(texts.outcome, { score: general(reward * 100) });
}

/** The record of an episode that is over. */
export function recordOf(state: State): string {
  const lines = [fill(texts.instruction, { instruction: state.instance.instruction })];
  for (const [at, turn] of state.turns.entries()) {
    if (turn.kind === 'capped' || turn.kind === 'error') continue;
    lines.push(fill(texts.step, { step: at + 1 }), ...turnLines(turn));
  }
  lines.push(outcomeLine(rewardOf(state)));
  return lines.join('\n');
}

function turnLines(turn: Turn): string[] {
  const { thought, said } = partsOf(turn);
  return [
    ...(thought === '' ? [] : [fill(texts.thought, { text: thought })]),
    ...(said === '' ? [] : [fill(texts.said, { text: said })]),
    fill(texts.action, { action: actionText(turn) }),
    fill(texts.observation, { text: turn.observation }),
  ];
}

/** The call of a turn as `name({"a": 1})`, or that there was none. */
export function actionText(turn: Turn): string {
  if (turn.name !== null && turn.args !== null) return `${turn.name}(${JSON.stringify(turn.args)})`;
  return fill(texts.none, { kind: turn.kind === 'invalid' ? turn.reason : turn.kind });
}

const think = /^\s*<think>([\s\S]*?)<\/think>/;

/** Reasoning that stands within the text is split off. */
function partsOf({ reply }: Turn): { readonly thought: string; readonly said: string } {
  const text = reply?.text ?? '';
  const inline = think.exec(text);
  const thought = [reply?.reasoning ?? '', inline?.[1] ?? '']
    .map((it) => it.trim())
    .filter((it) => it !== '');
  return { thought: thought.join('\n'), said: text.slice(inline?.[0].length ?? 0).trim() };
}

/** For `hopscope replay`. */
export function stepRecord({ turns }: State): Readonly<Record<string, unknown>> {
  const turn = turns.at(-1);
  if (turn === undefined) return {};
  return {
    kind: turn.kind,
    ...('reason' in turn ? { reason: turn.reason } : {}),
    name: turn.name,
    args: turn.args,
    obs: turn.observation,
  };
}

/** How the episode stands. */
export function finalRecord(state: State): Readonly<Record<string, unknown>> {
  const { instance, stop, verified, pitch, finish } = state;
  return {
    task_id: instance.id,
    scenario: instance.scenario,
    window: instance.window,
    timestamp: instance.timestamp,
    slice: instance.evaluator.slice,
    category: instance.category,
    reward: rewardOf(state),
    stop: stop ?? 'unfinished',
    finish,
    verified,
    pitch,
    outcome: outcomeLine(rewardOf(state)),
  };
}
