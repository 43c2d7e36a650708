/** What the editor decorates in an instance document when spoilers are shown. */
import { MARKS, NONE, roleOf } from '../../engine/environments/links.ts';
import type { Mark, MarkKind } from '../../protocol.ts';
import { rangeOf } from './mentions.ts';
import type { InstanceModel } from './models.ts';

/**
 * Names and values of evidence and distractors, and the answer; each place once, the answer before the evidence. Evidence
 * that the chain names only once is marked wherever it stands.
 */
export function instanceMarks(model: InstanceModel): Mark[] {
  const { chain, distractors, mentions } = model.links;
  const kinds = new Map<number, MarkKind>();
  const mark = (mention: number, kind: MarkKind): void => {
    if (mention !== NONE && !kinds.has(mention)) kinds.set(mention, kind);
  };
  mark(chain.at(-1)?.valueMention ?? NONE, 'answer');
  for (const { nameMention, valueMention } of chain) {
    mark(nameMention, 'evidence');
    mark(valueMention, 'evidence');
  }
  for (const { nameMention, valueMention } of distractors) {
    mark(nameMention, 'distractor');
    mark(valueMention, 'distractor');
  }
  for (let mention = 0; mention < mentions.count; mention++) {
    if ((mentions.marks[mention] ?? 0) & MARKS.evidence) mark(mention, 'evidence');
  }
  return Array.from(kinds, ([mention, kind]) => {
    const start = mentions.starts[mention] ?? 0;
    const end = mentions.ends[mention] ?? 0;
    return { kind, range: rangeOf(model, { start, end }) };
  });
}

/** In a few words what the entity is to the question: for search results; empty for most. */
export function roleInQuestion({ links }: InstanceModel, entity: number): string {
  const hop = links.chain.findIndex((one) => one.entity === entity);
  if (hop >= 0) return `evidence of ${links.linkName ?? 'hop'} ${hop + 1}`;
  const distractor = links.distractors.find(
    (one) =>
      one.entity === entity &&
      one.nameMention !== NONE &&
      roleOf(links.mentions, one.nameMention) === 'entry',
  );
  return distractor ? `distractor, ${distractor.kind}` : '';
}
