/** What a person is asked who judges a pitch: the questions that a model would answer as JSON. */
import pitch from '../../../../../../prompts/serving/pitch.json' with { type: 'json' };
import type { PanelQuestion, PanelVerdict } from '../../panel.ts';
import type { State } from '../state.ts';
import type { Mark } from './rubric.ts';

const labels: Readonly<Record<string, string>> = pitch.labels;

const options: readonly { readonly value: Mark; readonly label: string }[] = [
  { value: 'N', label: 'not addressed' },
  { value: 'M', label: 'mentioned' },
  { value: 'C', label: 'denied' },
];

/** The questions on every fact of the sheet, and on what the pitch makes up; null while there is no pitch to judge. */
export function verdictForm({ instance: { own }, finish, stop }: State): PanelVerdict | null {
  if (own.domain !== 'pitch' || finish === null || stop !== null) return null;
  const facts = own.sheet.facts.map(
    ({ attribute, line }): PanelQuestion => ({
      kind: 'choice',
      path: ['verdicts', attribute],
      label: labels[attribute] ?? attribute,
      detail: line,
      options,
    }),
  );
  const invented: PanelQuestion = {
    kind: 'texts',
    path: ['invented'],
    label: 'Invented claims',
    detail: 'One a line; none when empty.',
  };
  return { text: finish.pitch ?? '', questions: [...facts, invented] };
}
