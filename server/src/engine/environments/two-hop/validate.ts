/** Whether an instance can be scored: its own grader must take its own answer. */
import { grade } from './grade.ts';
import { type Instance, idOf } from './instance.ts';

/**
 * Reason codes in the order of the checks; empty when the instance is sound.
 *
 * @param published what the data have in its place; null where nobody knows.
 */
export function validate(instance: Instance, published: Instance | null): readonly string[] {
  const { id, answer, answers, prior, person, question } = instance;
  const figures = grade(instance, answer);
  const checks = [
    ['answer_refused', figures.correct === 1 && figures.answered === 1],
    ['answer_not_listed', answers.includes(answer)],
    ['prior_not_listed', answers.includes(prior)],
    ['person_not_in_question', person === null || question.includes(person)],
    ['id_mismatch', id === idOf(instance)],
    ['not_as_published', published === null || isSame(instance, published)],
  ] as const;
  return checks.flatMap(([code, isMet]) => (isMet ? [] : [code]));
}

function isSame(instance: Instance, published: Instance): boolean {
  const { answers, ...fields } = published;
  return (
    answers.length === instance.answers.length &&
    answers.every((answer, at) => answer === instance.answers[at]) &&
    Object.entries(fields).every(([key, value]) => Reflect.get(instance, key) === value)
  );
}
