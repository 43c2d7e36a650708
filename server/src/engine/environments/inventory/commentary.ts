/** What is said about episodes in an editor: what is carried, what is true, and which operation was missed in which turn. */
import type { Reply } from '../chat.ts';
import type { Commentary, Note, Proposal } from '../commentary.ts';
import { chooseBlock, parseItems } from './answer.ts';
import { setText } from './describe.ts';
import { applyOperations, findOperations, operationsOf, printOperation, truthsOf } from './instance.ts';
import { listText, sightOf } from './observation.ts';
import { say } from './policies.ts';
import { isOver, type State } from './state.ts';
import { expectedAfter, type Fault, faultsOf, gradeTurn } from './turns.ts';

export const commentary: Commentary<State> = {
  gauge: ({ instance, turns }) => ({ used: turns.length, limit: instance.chunks.length, unit: 'chunks' }),
  label,
  describe,
  notes,
  bestReplies,
  complete,
};

/** Enough of what changed for an outline. */
const longestChange = 60;

/** What the turn changed, e.g. `+teal-lute −oaken-urn: 2 items`; whether that was right it does not tell. */
function label({ turns }: State): string {
  const turn = turns.at(-1);
  if (turn === undefined) return '';
  const { before, reported, tooLong } = turn;
  if (reported === null) return tooLong ? 'answer block too long' : 'no answer block';
  const [was, is] = [new Set(before), new Set(reported)];
  const added = reported.filter((item) => !was.has(item)).map((item) => `+${item}`);
  const removed = before.filter((item) => !is.has(item)).map((item) => `−${item}`);
  const changes = [...added, ...removed].join(' ');
  const change = changes.length > longestChange ? `${changes.slice(0, longestChange)}…` : changes;
  const count = `${reported.length} ${reported.length === 1 ? 'item' : 'items'}`;
  return `${change === '' ? 'no change' : change}: ${count}`;
}

/** What is carried, and for a person who may know, what is true, and what the next chunk does. */
function describe(state: State, privileged: boolean): string {
  const { instance, carried, turns } = state;
  const done = turns.length;
  const lines = [
    `**${done} of ${instance.chunks.length} chunks** answered`,
    `Carried: ${code(setText(carried))}`,
  ];
  if (!privileged) return lines.join('\n\n');
  const graded = gradeTurn(state, done - 1);
  lines.push(`True: ${code(setText(truthsOf(instance)[done - 1] ?? []))}`);
  if (graded !== null && graded.missing.length > 0) lines.push(`Missing: ${code(graded.missing.join(', '))}`);
  if (graded !== null && graded.extra.length > 0) lines.push(`Extra: ${code(graded.extra.join(', '))}`);
  if (!isOver(state)) {
    const next = operationsOf(instance, done).map(printOperation).join(' ');
    lines.push(`Chunk ${done + 1} has ${next === '' ? 'no operation' : code(next)}.`);
  }
  return lines.join('\n\n');
}

const sentences: Readonly<Record<Fault['kind'], (item: string, tag: string) => string>> = {
  'no-answer': (item) => `${item} is lost: there is no complete answer block.`,
  'answer-too-long': (item) => `${item} is lost: the answer block holds more than can be carried.`,
  'answer-form': (item) => `${item} is not reported as an item of its own.`,
  'missed-get': (item, tag) => `${item} is missing: ${tag} of this chunk was not carried out.`,
  'missed-drop': (item, tag) => `${item} is still there: ${tag} of this chunk was not carried out.`,
  'took-distractor': (item) => `${item} only stands in the noise: it is not got by an operation.`,
  'obeyed-distractor': (item) => `${item} is gone because of a tag that is no operation.`,
  'lost-item': (item) => `${item} was carried into this turn and is lost.`,
  'invented-item': (item) => `${item} was neither carried nor got in this chunk.`,
};

/** More slips in one turn are of one kind. */
const mostNotes = 50;

/** One note for each fault, all of them on the content of the block. */
function notes(before: State, { text }: Reply, after: State): readonly Note[] {
  const at = before.turns.length;
  const turn = after.turns[at];
  if (turn === undefined) return [];
  const { instance } = before;
  const block = chooseBlock(text, before.answerBlock);
  const { start, end } = block ?? { start: 0, end: text.length };
  const expected = listText(expectedAfter(instance, at, turn.before));
  const fix = { title: 'Report what the operations give', privileged: true };
  const replace =
    block === null
      ? { start: end, end, text: `\n<answer>${expected}</answer>` }
      : { start, end, text: expected };
  return faultsOf(instance, at, turn)
    .slice(0, mostNotes)
    .map(({ kind, item, operation }) => {
      const one = operation === null ? undefined : instance.operations[operation];
      const tag = one === undefined ? 'an operation' : printOperation(one);
      return {
        code: `inventory.${kind}`,
        severity: 'warning',
        message: sentences[kind](`"${short(item)}"`, tag),
        start,
        end,
        privileged: true,
        fixes: [{ ...fix, replace }],
      };
    });
}

/** The truth of every turn that is left: whatever is carried, reporting it is right. */
function bestReplies({ instance, turns }: State): readonly string[] {
  return truthsOf(instance)
    .slice(turns.length)
    .map((truth) => say(truth).text);
}

const OPEN = '<answer>';

/** Separators of items. */
const separators = [',', ';', '\n', '\r'];

/** Longer ones are not looked into: they are no list that somebody types. */
const longestList = 20_000;

/** In a block the items that could stand there and do not yet; outside of it the block itself. */
function complete(state: State, text: string, offset: number): Proposal[] {
  if (isOver(state)) return [];
  const before = text.slice(0, offset);
  const open = before.lastIndexOf(OPEN);
  if (open < 0 || open < before.lastIndexOf('</answer>')) {
    const typed = /<?[a-z]{0,10}$/.exec(before.slice(-12))?.[0] ?? '';
    const insert = OPEN;
    const place = { start: offset - typed.length, end: offset };
    const detail = ' what is held now';
    return [{ kind: 'verb', label: insert, detail, documentation: '', filter: insert, insert, ...place }];
  }
  const inner = before.slice(open + OPEN.length);
  if (inner.length > longestList) return [];
  const last = Math.max(...separators.map((separator) => inner.lastIndexOf(separator)));
  const typed = inner.slice(last + 1).trimStart();
  const listed = new Set(parseItems(inner.slice(0, inner.length - typed.length)));
  const { carried, chunk } = sightOf(state);
  const found = findOperations(chunk);
  const got = new Set(found.flatMap(({ kind, key }) => (kind === 'GET' ? [key] : [])));
  const place = { start: offset - typed.length, end: offset };
  return applyOperations(carried, found)
    .filter((item) => !listed.has(item))
    .map((item) => {
      const detail = got.has(item) ? 'got in this chunk' : 'carried';
      return { kind: 'text', label: item, detail, documentation: '', filter: item, insert: item, ...place };
    });
}

function code(text: string): string {
  return `\`${short(text).replaceAll('`', "'")}\``;
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 400 ? `${line.slice(0, 400)}…` : line;
}
