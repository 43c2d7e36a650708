/**
 * An instance as a text document, and what that text speaks of. A person can answer from it: answer and bridge entity are
 * in the links only, which an editor shows on demand.
 */
import { columns, type InstanceLinks, MARKS, MENTION_ROLES, NONE } from '../links.ts';
import type { InstanceText, Part } from '../view.ts';
import type { Instance } from './instance.ts';

/** The text and its outline: heading, the data's instruction, the question. */
export function viewInstance({ id, split, domain, relation, row, system, question }: Instance): InstanceText {
  const heading = [
    `${id} (two-hop, ${split})`,
    '',
    `Domain: ${domain}`,
    `Relation: ${relation}`,
    `Row: ${row}`,
    '',
  ].join('\n');
  const parts: Part[] = [
    {
      kind: 'heading',
      name: id,
      detail: `${domain}, ${relation}`,
      start: 0,
      end: heading.length,
      nameStart: 0,
      nameEnd: heading.indexOf('\n'),
      children: [],
    },
  ];
  let text = heading;
  for (const [name, body] of [
    ['Instruction', system],
    [QUESTION, question],
  ] as const) {
    const start = text.length + 1;
    text += `\n# ${name}\n${body.replace(/\r\n?/g, '\n')}\n`;
    const nameStart = start + '# '.length;
    const place = { start, end: text.length, nameStart, nameEnd: nameStart + name.length };
    parts.push({ kind: 'section', name, detail: '', ...place, children: [] });
  }
  return { text, parts };
}

const QUESTION = 'Question';

/** The person in the question, and the two hops that start there. Nothing of them has an entry in the text. */
export function linksOf(instance: Instance, { text, parts }: InstanceText): InstanceLinks {
  const { person, bridge, answer, domain, relation } = instance;
  if (person === null || bridge === null) {
    return { entities: [], labels: [], mentions: columns(0), answer, chain: [], distractors: [] };
  }
  const from = parts.find(({ name }) => name === QUESTION)?.nameEnd ?? 0;
  const at = text.indexOf(person, from);
  const mentions = columns(at < 0 ? 0 : 1);
  if (at >= 0) {
    mentions.starts[0] = at;
    mentions.ends[0] = at + person.length;
    mentions.roles[0] = MENTION_ROLES.indexOf('question');
    mentions.owners[0] = NONE;
    mentions.labels[0] = NONE;
    mentions.marks[0] = MARKS.evidence;
  }
  const nowhere = { chunk: NONE, start: 0, end: 0 };
  const nameMention = at < 0 ? NONE : 0;
  return {
    entities: [
      { name: person, type: 'person', ...nowhere },
      { name: bridge, type: domain, ...nowhere },
    ],
    labels: [domain, relation],
    mentions,
    answer,
    chain: [
      { entity: 0, chunk: NONE, label: domain, value: bridge, nameMention, valueMention: NONE },
      { entity: 1, chunk: NONE, label: relation, value: answer, nameMention: NONE, valueMention: NONE },
    ],
    distractors: [],
  };
}
