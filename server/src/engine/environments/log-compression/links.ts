/**
 * What the document of a record speaks of: its lines. Lines of one content are one thing that is named several times, so that
 * repeats can be gone through; the critical ones are the evidence, in the order in which the log first has them.
 */
import {
  columns,
  type InstanceLinks,
  type LinkedEntity,
  type LinkedHop,
  MARKS,
  MENTION_ROLES,
  NONE,
} from '../links.ts';
import type { InstanceText } from '../view.ts';
import { collapse, distinctContents, prefixOf } from './fidelity.ts';
import type { Instance } from './instance.ts';
import { shownLine } from './view.ts';

const ENTRY = MENTION_ROLES.indexOf('entry');
const REPEAT = MENTION_ROLES.indexOf('repeat');

/** The label of a hop: how often its line is printed. */
const PRINTED = 'Printed';

/** @param view of the same instance. */
export function linksOf(instance: Instance, view: InstanceText): InstanceLinks {
  const prefix = prefixOf(instance);
  const lines = instance.raw.split('\n');
  const critical = new Set(distinctContents(instance));
  const entities: LinkedEntity[] = [];
  const byContent = new Map<string, { readonly entity: number; readonly mention: number; times: number }>();
  const mentions = columns(lines.length);
  let count = 0;
  let start = logStart(view);
  for (const [position, line] of lines.entries()) {
    const text = shownLine(line);
    const from = start + shownLine(line.slice(0, prefix(line))).length;
    const end = start + text.trimEnd().length;
    start += text.length + 1;
    if (from >= end) continue;
    const content = collapse(line.slice(prefix(line)));
    const known = byContent.get(content);
    if (known === undefined) {
      byContent.set(content, { entity: entities.length, mention: count, times: 1 });
      entities.push({ name: content, type: 'printed line', chunk: position + 1, start: from, end });
    } else known.times++;
    mentions.starts[count] = from;
    mentions.ends[count] = end;
    mentions.roles[count] = known === undefined ? ENTRY : REPEAT;
    mentions.entities[count] = known?.entity ?? entities.length - 1;
    mentions.owners[count] = NONE;
    mentions.labels[count] = NONE;
    mentions.marks[count] = critical.has(content) ? MARKS.evidence : 0;
    count++;
  }
  const chain = [...critical].flatMap((content): LinkedHop[] => {
    const found = byContent.get(content);
    if (found === undefined) return [];
    const { entity, mention, times } = found;
    const value = times === 1 ? 'once' : `${times} times`;
    const chunk = entities[entity]?.chunk ?? NONE;
    return [{ entity, chunk, label: PRINTED, value, nameMention: mention, valueMention: NONE }];
  });
  return {
    linkName: 'critical line',
    chunkName: 'log line',
    entities,
    labels: [],
    mentions: { ...mentions, count },
    answer: '',
    chain,
    distractors: [],
  };
}

/** Where the first line of the log begins: after the title of its section and an empty line. */
function logStart({ text, parts }: InstanceText): number {
  const title = text.indexOf('\n', parts.at(-1)?.nameEnd ?? 0);
  return title + 2;
}
