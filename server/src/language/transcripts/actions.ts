/** Quick fixes and rewritings of transcripts. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { CodeAction, CodeActionKind, type Range, type TextEdit } from 'vscode-languageserver-types';
import type { Fix } from '../../engine/environments/commentary.ts';
import { printFrontMatter } from '../../engine/prompts/print-front-matter.ts';
import { transcriptFields } from '../../engine/transcripts/transcript.ts';
import { readable } from '../sentence.ts';
import type { Analysis } from './analysis.ts';
import { edit, fillStep, insertSteps, renumberFrom, replaceSteps } from './edits.ts';
import { outcomeOf, type PlacedNote, transcriptNotes } from './notes.ts';
import { blockAt, ReplyPlace } from './places.ts';

/** Everything that can be done at `range`; what would tell the best way on only with `spoilers`. */
export function transcriptActions(
  document: TextDocument,
  range: Range,
  analysis: Analysis,
  spoilers: boolean,
): CodeAction[] {
  const start = document.offsetAt(range.start);
  const end = document.offsetAt(range.end);
  const actions = new ActionList(document);
  for (const note of transcriptNotes(analysis)) {
    if (note.end < start || note.start > end || (note.privileged && !spoilers)) continue;
    structureFix(actions, document, analysis, note);
    for (const fix of note.fixes ?? []) {
      if (spoilers || !fix.privileged) noteFix(actions, document, analysis, note, fix);
    }
  }
  if (spoilers) wayOn(actions, document, analysis, start);
  return actions.list;
}

/** Actions offered at once; nobody reads a longer menu. */
const most = 50;

/** Actions by title: two notes may ask for the same. */
class ActionList {
  readonly list: CodeAction[] = [];
  readonly #made = new Set<string>();
  readonly #uri: string;

  constructor({ uri }: TextDocument) {
    this.#uri = uri;
  }

  /** @param make the edits: they may be many, and are not made again for what is there already. */
  add(title: string, kind: CodeActionKind, make: () => readonly TextEdit[], isPreferred = false): void {
    if (this.#made.has(title) || this.list.length === most) return;
    this.#made.add(title);
    const edits = make();
    if (edits.length === 0) return;
    const action = CodeAction.create(readable(title), { changes: { [this.#uri]: [...edits] } }, kind);
    this.list.push(isPreferred ? { ...action, isPreferred } : action);
  }
}

/** A fix of the environment's own. */
function noteFix(
  actions: ActionList,
  document: TextDocument,
  analysis: Analysis,
  { block }: PlacedNote,
  { title, insertBefore, replace }: Fix,
): void {
  if (block === undefined) return;
  if (insertBefore !== undefined) {
    actions.add(title, CodeActionKind.QuickFix, () => insertSteps(document, analysis, block, [insertBefore]));
  }
  const event = analysis.parsed.transcript.events[block];
  const layout = analysis.parsed.layout.blocks[block];
  // In an escaped text a change would have to be escaped too: such steps are not for editing by hand.
  if (replace === undefined || event?.kind !== 'reply' || !layout || layout.text.escaped) return;
  const place = new ReplyPlace(analysis.text, layout, event.text).toFile(replace);
  actions.add(title, CodeActionKind.QuickFix, () => [edit(document, place.start, place.end, replace.text)]);
}

/** Fixes of what is wrong with the file rather than with the episode. */
function structureFix(
  actions: ActionList,
  document: TextDocument,
  analysis: Analysis,
  note: PlacedNote,
): void {
  const { code, start, end, data = {} } = note;
  const replaceBy = (title: string, text: string) =>
    actions.add(title, CodeActionKind.QuickFix, () => [edit(document, start, end, text)], true);
  switch (code) {
    case 'transcript.step-number':
      actions.add(
        'Number the steps',
        CodeActionKind.QuickFix,
        () => renumberFrom(document, analysis, 0, 1),
        true,
      );
      break;
    case 'transcript.unknown-marker': {
      const word = /\p{L}+/u.exec(analysis.text.slice(start, end));
      if (typeof data['nearest'] !== 'string' || word === null) break;
      const from = start + word.index;
      const { nearest } = data;
      const edits = () => [edit(document, from, from + word[0].length, nearest)];
      actions.add(`Change to "=== ${nearest}"`, CodeActionKind.QuickFix, edits, true);
      break;
    }
    case 'transcript.after-end':
      actions.add('Remove the steps after the end', CodeActionKind.QuickFix, () =>
        cutAfterEnd(document, analysis),
      );
      break;
    case 'transcript.outcome':
      actions.add('Record the outcome of replaying', CodeActionKind.QuickFix, () =>
        recordOutcome(document, analysis),
      );
      break;
    case 'transcript.wrong-origin':
      if (data['expected'] !== undefined)
        replaceBy(`Change to ${data['expected']}`, String(data['expected']));
      break;
    case 'front-matter.missing': {
      const example = transcriptFields.find(({ key }) => key === data['key'])?.example;
      const at = analysis.parsed.layout.frontMatter?.content.start;
      if (example === undefined || at === undefined) break;
      const line = `${data['key']}: ${example}`;
      const edits = () => [edit(document, at, at, `${line}\n`)];
      actions.add(`Add "${line}"`, CodeActionKind.QuickFix, edits, true);
      break;
    }
    case 'front-matter.unknown-option':
    case 'front-matter.unknown-key':
    case 'front-matter.unknown-environment':
    case 'front-matter.range':
      if (typeof data['nearest'] === 'string') replaceBy(`Change to "${data['nearest']}"`, data['nearest']);
      break;
    case 'action.unknown-verb':
      if (typeof data['verb'] === 'string') replaceBy(`Change to ${data['verb']}`, data['verb']);
      break;
    case 'action.missing-separator':
      actions.add('Insert ::', CodeActionKind.QuickFix, () => [edit(document, end, end, ' ::')], true);
      break;
    default:
      if (typeof data['replacement'] === 'string')
        replaceBy(`Change to ${data['replacement']}`, data['replacement']);
  }
}

function cutAfterEnd(document: TextDocument, { replay, parsed, text }: Analysis): TextEdit[] {
  const first = replay?.steps.findIndex(({ fault }) => fault === 'over') ?? -1;
  const block = parsed.layout.blocks[first];
  return block === undefined ? [] : [edit(document, block.start, text.length, '')];
}

/** Writes what replaying gives in the place of what is recorded, each value where it stands. */
function recordOutcome(document: TextDocument, { parsed, replay, played }: Analysis): TextEdit[] {
  const entry = parsed.layout.frontMatter?.entries.find(
    ({ path }) => path.length === 1 && path[0] === 'outcome',
  );
  if (!entry || !replay || !played) return [];
  const { reward, correct, stop, steps } = outcomeOf(played.environment, replay);
  const { metrics } = parsed.transcript.outcome ?? {};
  const replayed = outcomeOf(played.environment, replay).metrics;
  const kept =
    metrics && Object.fromEntries(Object.keys(metrics).map((name) => [name, replayed[name] ?? null]));
  const field = printFrontMatter([
    ['outcome', { reward, correct, stop, steps, ...(kept ? { metrics: kept } : {}) }],
  ]);
  return [edit(document, entry.key.start, entry.value.end, field.replace(/^---\n|\n---\n$/g, ''))];
}

/** The best way on from the step at `offset`. */
function wayOn(actions: ActionList, document: TextDocument, analysis: Analysis, offset: number): void {
  const { parsed, replay, environment, isOpen } = analysis;
  const commentary = environment?.commentary;
  if (!replay || !commentary?.bestReplies) return;
  const { blocks } = parsed.layout;
  const index = blockAt(blocks, offset);
  const step = replay.steps[index];
  const isOpenHere = isOpen && index === blocks.length - 1;
  const before = index < 0 ? replay.first : (step?.before ?? replay.last);
  const after = index < 0 ? replay.first : (step?.after ?? replay.last);
  const next = commentary.bestReplies(after)?.[0];
  if (next !== undefined) {
    const edits = () =>
      isOpenHere
        ? fillStep(document, analysis, index, next)
        : insertSteps(document, analysis, index + 1, [next]);
    actions.add('Insert the best next action', CodeActionKind.RefactorRewrite, edits);
  }
  const way = index < 0 ? null : commentary.bestReplies(before);
  if (way !== null && way.length > 0) {
    const title = 'Replace by the minimal episode from here';
    actions.add(title, CodeActionKind.RefactorRewrite, () => replaceSteps(document, analysis, index, way));
  }
}
