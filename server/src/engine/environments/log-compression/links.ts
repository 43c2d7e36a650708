/** Where the critical lines stand in the document of a record. Each distinct content is an entity, each line a mention of it. */
import { columns, type InstanceLinks, type LinkedEntity, MARKS, MENTION_ROLES, NONE } from '../links.ts';
import type { InstanceText } from '../view.ts';
import { collapse, prefixOf } from './fidelity.ts';
import type { Instance } from './instance.ts';
import { shownLine } from './view.ts';

/** @param view of the same instance. */
export function linksOf(instance: Instance, view: InstanceText): InstanceLinks {
  const prefix = prefixOf(instance);
  const starts = lineStarts(view);
  const entities: LinkedEntity[] = [];
  const numbers = new Map<string, number>();
  const mentions = columns(instance.critical.length);
  let count = 0;
  let last = 0;
  const roles = { entry: MENTION_ROLES.indexOf('entry'), link: MENTION_ROLES.indexOf('link') };
  for (const { line, text } of instance.critical) {
    const start = starts[line - 1];
    // A record that is not sound may name lines in any order, or lines that there are not.
    if (start === undefined || line <= last) continue;
    last = line;
    const from = start + shownLine(text.slice(0, prefix(text))).length;
    const end = Math.min(start + shownLine(text).trimEnd().length, view.text.length);
    if (from >= end) continue;
    const content = collapse(text.slice(prefix(text)));
    const isFirst = !numbers.has(content);
    const entity = numbers.get(content) ?? entities.length;
    if (isFirst) {
      numbers.set(content, entity);
      entities.push({ name: content, type: 'critical line', chunk: NONE, start, end });
    }
    mentions.starts[count] = from;
    mentions.ends[count] = end;
    mentions.roles[count] = isFirst ? roles.entry : roles.link;
    mentions.entities[count] = entity;
    mentions.owners[count] = NONE;
    mentions.labels[count] = NONE;
    mentions.marks[count] = MARKS.evidence;
    count++;
  }
  return { entities, labels: [], mentions: { ...mentions, count }, answer: '', chain: [], distractors: [] };
}

/** Where each line of the log begins. */
function lineStarts({ text, parts }: InstanceText): readonly number[] {
  const section = parts.at(-1);
  if (section === undefined) return [];
  const starts: number[] = [];
  let at = text.indexOf('\n', section.nameEnd) + 2;
  while (at > 0 && at < text.length) {
    starts.push(at);
    const feed = text.indexOf('\n', at);
    if (feed < 0) break;
    at = feed + 1;
  }
  return starts;
}
