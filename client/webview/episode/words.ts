/** Numbers and names in words. */
import type { SessionNote, SessionOutcome, SessionStep, SessionView } from '../../../server/src/protocol.ts';

export function grouped(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 4 });
}

/** E.g. `1 step` or `3 steps`; `unit` is in the plural. */
export function counted(value: number, unit: string): string {
  return `${grouped(value)} ${value === 1 ? singular(unit) : unit}`;
}

function singular(plural: string): string {
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`;
  return plural.replace(/(?<=ch|sh|ss|x)es$|s$/, '');
}

/** The text with characters that turn its direction, or that of what is around it, in signs that can be read. */
export function legible(text: string): string {
  return text.replace(
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (found) => `‹U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}›`,
  );
}

/** How the episode stands, in one line. */
export function standing({ outcome, need, depth, panel, forks }: SessionView): string {
  if (outcome.done || need === 'nothing') return `Over: ${ending(outcome)}`;
  if (need === 'verdict') return `After step ${depth}, waiting for a verdict.`;
  const budget = panel?.budget;
  const left = budget ? `, ${counted(Math.max(0, budget.limit - budget.used), budget.unit)} left` : '';
  const next = forks ? ' The next step opens a new branch.' : '';
  return `After step ${depth}${left}.${next}`;
}

/** What a step led to: what is held, what is left, what it brought. */
export function result({ outcome, panel }: SessionView): string {
  const { gauge, budget } = panel ?? {};
  const full = gauge ? `${grouped(gauge.used)} of ${grouped(gauge.limit)} ${gauge.unit}` : '';
  return [
    ...(gauge ? [gauge.title === undefined ? `${full} held` : `${gauge.title}: ${full}`] : []),
    ...(budget ? [`${counted(Math.max(0, budget.limit - budget.used), budget.unit)} left`] : []),
    `reward ${grouped(outcome.reward)}${outcome.done ? '' : ' so far'}`,
  ].join(' · ');
}

export function ending({ reward, correct, stop, steps }: SessionOutcome): string {
  const how = stop.replaceAll('-', ' ');
  return `${how} after ${counted(steps, 'steps')}, reward ${grouped(reward)}, ${correct ? 'correct' : 'not correct'}`;
}

/** Tokens as the endpoint counted them. */
export function usageOf({ usage, finish }: SessionStep): string {
  const parts: string[] = [];
  if (usage) {
    parts.push(`${counted(usage.input, 'tokens')} in`, `${grouped(usage.output)} out`);
    if (usage.cachedInput) parts.push(`${grouped(usage.cachedInput)} cached`);
    if (usage.reasoning) parts.push(`${grouped(usage.reasoning)} of reasoning`);
  }
  if (finish && finish !== 'stop' && finish !== 'tool_calls')
    parts.push(finish === 'length' ? 'cut off by the output limit' : finish);
  return parts.join(', ');
}

const signs = { error: 'error', warning: 'warning', info: 'info' } as const;
const names = { error: 'Error', warning: 'Warning', info: 'Note' } as const;

/** The icon and the name of a severity. */
export function severityOf(severity: keyof typeof signs): { readonly icon: string; readonly name: string } {
  return { icon: signs[severity], name: names[severity] };
}

/** What is said of a step without remarks: that its form is in order does not make what it led to right. */
export function withoutNotes(outcome: SessionOutcome, need: SessionView['need']): string {
  if (!outcome.done || need === 'verdict' || outcome.correct) return 'No problems were found in this step.';
  return `Nothing is wrong with the form of this reply, but the episode is over with reward ${grouped(outcome.reward)}, not correct.`;
}

/** The remarks, each once, with how often it was made. */
export function together(
  notes: readonly SessionNote[],
): readonly (SessionNote & { readonly times: number })[] {
  const found = new Map<string, SessionNote & { readonly times: number }>();
  for (const note of notes) {
    const key = `${note.severity} ${note.message}`;
    found.set(key, { ...note, times: (found.get(key)?.times ?? 0) + 1 });
  }
  return [...found.values()];
}
