/** Inlay hints of an instance document: what a chunk leaves of the ceiling and, with spoilers, where distractors end. */
import type { InlayHint } from 'vscode-languageserver-types';
import { NONE } from '../../engine/environments/links.ts';
import type { Part } from '../../engine/environments/view.ts';
import type { InstanceModel } from './models.ts';

/** Hints between the offsets `start` and `end`, in text order. */
export function instanceHints(
  model: InstanceModel,
  start: number,
  end: number,
  spoilers: boolean,
): InlayHint[] {
  const places = [
    ...chunkHints(model.view.ceiling, model.view.parts),
    ...(spoilers ? distractorHints(model) : []),
  ];
  return places
    .filter(({ offset }) => start <= offset && offset <= end)
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, label, tooltip }) => ({
      position: model.document.positionAt(offset),
      label,
      tooltip,
      paddingLeft: true,
    }));
}

interface Hint {
  readonly offset: number;
  readonly label: string;
  readonly tooltip: string;
}

/** Continues a chunk's line, `[12] (330 tokens)`. */
function chunkHints(ceiling: number | undefined, parts: readonly Part[]): Hint[] {
  if (ceiling === undefined) return [];
  return parts.flatMap(({ chunk, nameEnd, children, kind }): Hint[] => {
    if (kind === 'section') return chunkHints(ceiling, children);
    if (chunk === undefined) return [];
    const left = ceiling - chunk.tokens;
    const label = left < 0 ? `exceeds the ceiling of ${ceiling}` : `of ${ceiling}, leaves ${left}`;
    const tooltip =
      left < 0
        ? `Chunk ${chunk.number} alone is more than an agent can hold: ${chunk.tokens} of ${ceiling} tokens.`
        : `An agent that holds chunk ${chunk.number} and nothing else has ${left} of ${ceiling} tokens left.`;
    return [{ offset: nameEnd, label, tooltip }];
  });
}

/** After the name of a twin or near value, or after the superseded value: the kind and where it ends. */
function distractorHints({ links }: InstanceModel): Hint[] {
  const { distractors, mentions } = links;
  const kinds = new Map<number, { kinds: string[]; wrongAnswer: string | null }>();
  for (const { kind, nameMention, valueMention, wrongAnswer } of distractors) {
    const mention = nameMention === NONE ? valueMention : nameMention;
    if (mention === NONE) continue;
    const known = kinds.get(mention);
    if (known === undefined) kinds.set(mention, { kinds: [kind], wrongAnswer });
    else if (!known.kinds.includes(kind)) known.kinds.push(kind);
  }
  return Array.from(kinds, ([mention, { kinds: names, wrongAnswer }]) => ({
    offset: mentions.ends[mention] ?? 0,
    label: `${names.join(', ')}${wrongAnswer === null ? '' : ` → ${wrongAnswer}`}`,
    tooltip:
      wrongAnswer === null
        ? 'A distractor. Following it leads nowhere.'
        : `A distractor. Following it ends at the wrong answer ${wrongAnswer}.`,
  }));
}
