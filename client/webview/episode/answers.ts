/** What a person has answered to the questions of a judge, and the verdict that it makes. */
import type { PanelQuestion, PanelVerdict } from '../../../server/src/protocol.ts';

/** Answers by {@link answerKey} of their questions. */
export type Answers = Readonly<Record<string, string>>;

export function answerKey({ path }: PanelQuestion): string {
  return JSON.stringify(path);
}

/** The verdict that the answers make, as JSON; what is not answered is as at first. */
export function verdictOf({ questions }: PanelVerdict, answers: Answers): string {
  const verdict: Tree = new Map();
  for (const question of questions) {
    const given = answers[answerKey(question)];
    put(verdict, question.path, answerTo(question, given));
  }
  return JSON.stringify(plain(verdict));
}

/** By names that come from an environment: a map takes any. */
type Tree = Map<string, Tree | string | readonly string[]>;

function put(tree: Tree, [name = '', ...rest]: readonly string[], value: string | readonly string[]): void {
  if (rest.length === 0) {
    tree.set(name, value);
    return;
  }
  const known = tree.get(name);
  const inner: Tree = known instanceof Map ? known : new Map();
  tree.set(name, inner);
  put(inner, rest, value);
}

function plain(tree: Tree): unknown {
  return Object.fromEntries(
    Array.from(tree, ([name, value]) => [name, value instanceof Map ? plain(value) : value]),
  );
}

function answerTo(question: PanelQuestion, given: string | undefined): string | readonly string[] {
  if (question.kind === 'choice') return given ?? question.options[0]?.value ?? '';
  return (given ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
