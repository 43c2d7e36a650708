/** Numbers and dates in words. */
import type { Counts, OutcomeKind } from '../../../server/src/protocol.ts';

/** A whole number with thousands separated. */
export function grouped(value: number): string {
  return value.toLocaleString('en');
}

/** E.g. `1 episode` or `2,000 episodes`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A number with three decimals, or a dash where there is none. */
export function fixed(value: number | null | undefined, digits = 3): string {
  return value === null || value === undefined ? '–' : value.toFixed(digits);
}

/** The same with its sign; what rounds to nothing has none. */
export function signed(value: number, digits = 3): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace('-', '') : value > 0 ? `+${text}` : text.replace('-', '−');
}

/** A share as a percentage. */
export function percent(share: number | null): string {
  return share === null ? '–' : `${(share * 100).toFixed(1)} %`;
}

/** How many episodes a figure stands for, and how many there should have been. */
export function countsText({ requested, scored, errored }: Counts): string {
  return `${grouped(requested)} requested / ${grouped(scored)} scored / ${grouped(errored)} errored`;
}

/** Of an outcome, as it is read. */
export const outcomeNames: Readonly<Record<OutcomeKind, string>> = {
  correct: 'Correct',
  wrong: 'Wrong',
  errored: 'Errored',
  unfinished: 'Unfinished',
};

/** An icon for those who tell shapes faster than words. */
export const outcomeIcons: Readonly<Record<OutcomeKind, string>> = {
  correct: 'pass',
  wrong: 'error',
  errored: 'warning',
  unfinished: 'circle-outline',
};

/** A cause as it is read; failures that nobody explained have none. */
export function causeName(cause: string): string {
  return cause === '' ? 'not explained' : cause;
}

/** A date without its seconds, as the reader's own clock has it; the text itself when it is none. */
export function dateText(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}

/** A name as people read it, e.g. `fully specified`. */
export function named(id: string): string {
  return id.replaceAll('_', ' ');
}

/** Points from 0 to 100. */
export function points(score: number | null | undefined): string {
  return fixed(score, 1);
}
