/** What a step prompt can say of an episode. */
import { hazardsOf } from './hazards.ts';
import type { Instance } from './instance.ts';
import type { State } from './state.ts';

export interface Observation {
  readonly system: string;
  readonly question: string;
  readonly domain: string;
  readonly relation: string;
  readonly condition: string;
  readonly is_cot: boolean;
  readonly is_nocot: boolean;
  readonly person: string;
  readonly answer: string;
  readonly bridge: string;
  readonly answers: readonly string[];
  readonly prior: string;
  readonly hazards: readonly string[];
}

/** Plain values; the reply changes nothing about them. */
export function observe({
  instance,
}: Pick<State, 'instance'>): Observation & Readonly<Record<string, unknown>> {
  const { system, question, domain, relation, split, person, answer, bridge, answers, prior } = instance;
  return {
    system,
    question,
    domain,
    relation,
    condition: split,
    is_cot: split === 'cot',
    is_nocot: split !== 'cot',
    person: person ?? '',
    answer,
    bridge: bridge ?? '',
    answers,
    prior,
    hazards: hazardsOf(instance).map(({ description }) => description),
  };
}

/** What must not stand in a prompt for this instance, unless the question itself says it. */
export function secrets({ answer, bridge, question }: Instance): readonly { text: string; kind: string }[] {
  const all = [
    { text: answer, kind: 'answer' },
    ...(bridge === null ? [] : [{ text: bridge, kind: 'bridge entity' }]),
  ];
  return all.filter(({ text }) => !question.includes(text));
}
