/**
 * Checks what a request of ours was given before anything is done with it: whoever sends something else gets the protocol's
 * answer to that, with a sentence. What a request does not know is let through.
 */
import * as v from 'valibot';
import { ErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { visible } from '../engine/text/visible.ts';
import type { RequestMethod, RequestParams } from '../protocol.ts';

// Each says by its message what it wants.
const text = v.string('a text');
const flag = v.boolean('true or false');
const whole = v.pipe(v.number('a number'), v.safeInteger('a whole number'));
/** What a person may have typed: the engine says what is wrong with it. */
const typed = v.number('a number');
/** A place in a list, a number of things. */
const count = v.pipe(whole, v.minValue(0, 'a whole number from 0 on'));
const counted = v.pipe(whole, v.minValue(1, 'a whole number from 1 on'));
const named = v.record(text, v.unknown(), 'named values');
const position = fields({ line: count, character: count });
const document = fields({ uri: text });
const source = v.union(
  [fields({ environment: text, split: text }), fields({ file: text })],
  'environment and split, or a file',
);
const selector = fields({ environment: text, split: text, index: typed, options: v.optional(named) });
const range = fields({ start: position, end: position });
const aboutDocument = fields({
  textDocument: document,
  position: v.optional(position),
  range: v.optional(range),
});
const opening = fields({
  textDocument: fields({ uri: text, languageId: text, version: whole, text }),
});
const change = fields({
  textDocument: fields({ uri: text, version: whole }),
  contentChanges: v.array(fields({ range: v.optional(range), text }), 'a list'),
});
const knownModels = fields({ models: v.array(text, 'a list') });
const runNote = fields({ uri: text, task: v.nullable(count) });

function fields<const E extends v.ObjectEntries>(entries: E) {
  return v.object(entries, 'named values');
}

/** What a request takes, as far as the rest of the server relies on it. */
type Shape<M extends RequestMethod> = v.GenericSchema<unknown, Partial<RequestParams<M>>>;

const shapes: { readonly [M in RequestMethod]?: Shape<M> | v.GenericSchema } = {
  'hopscope/environments': v.unknown(),
  'hopscope/data': v.unknown(),
  'hopscope/dataFolder': fields({ folder: text }),
  'hopscope/fetchData': fields({ set: text, token: text }),
  'hopscope/locateInstance': selector,
  'hopscope/readInstance': document,
  'hopscope/newTranscript': v.union([document, selector], 'an address, or environment, split and index'),
  'hopscope/listInstances': fields({
    source,
    from: count,
    count: v.pipe(counted, v.maxValue(10_000, 'at most 10000')),
    filter: v.record(
      text,
      v.array(v.union([text, v.number()], 'a text or a number'), 'a list'),
      'named lists',
    ),
  }),
  'hopscope/instanceGroups': fields({ source }),
  'hopscope/findInstance': fields({ id: text, files: v.array(text, 'a list') }),
  'hopscope/examine': fields({ source, position: v.nullable(count), audit: flag, token: text }),
  'hopscope/heldChunks': fields({ uri: text, position }),
  'hopscope/comparedTexts': fields({ uri: text, position }),
  'hopscope/instanceMarks': document,
  'hopscope/previewPrompt': fields({
    uri: text,
    place: fields({
      split: v.optional(text),
      index: v.optional(typed),
      policy: v.optional(text),
      step: v.optional(typed),
    }),
    saved: v.nullable(text),
  }),
  'hopscope/previewPieces': fields({ uri: text, message: count, next: count }),
  'hopscope/promptTokens': document,
  'hopscope/previewedInstance': document,
  'hopscope/promptRequest': document,
  'hopscope/listRuns': fields({ folders: v.array(text, 'a list'), prices: v.nullable(text) }),
  'hopscope/runSummary': fields({ uri: text, prices: v.nullable(text) }),
  'hopscope/runPrompt': document,
  'hopscope/runNote': runNote,
  'hopscope/annotateRun': fields({ ...runNote.entries, note: named }),
  'hopscope/runChoices': fields({ text }),
};

/** Of families of requests, where nothing is said of one by itself. */
const families: readonly (readonly [prefix: string, shape: v.GenericSchema])[] = [
  ['hopscope/episode/', fields({ session: text })],
  ['hopscope/', named],
];

/** @throws ResponseError InvalidParams, with a sentence, when `params` are not what `method` takes. */
export function checkParams(method: RequestMethod, params: unknown): void {
  const shape = shapes[method] ?? families.find(([prefix]) => method.startsWith(prefix))?.[1];
  if (shape) check(method, shape, params);
}

/** The same for a request of the protocol about an open document. */
export function checkDocumentParams(params: unknown): void {
  check('A request about a document', aboutDocument, params);
}

/** The models in a `hopscope/knownModels`; none when it is not what it should be. */
export function modelsIn(params: unknown): readonly string[] {
  const read = v.safeParse(knownModels, params);
  return read.success ? read.output.models : [];
}

/** Why a document cannot have been opened like that; null when it can. */
export function problemOfOpening(params: unknown): string | null {
  return problemOf('Opening a document', opening, params);
}

/** Why a document cannot have changed like that; null when it can. */
export function problemOfChange(params: unknown): string | null {
  return problemOf('A change of a document', change, params);
}

function check(method: string, shape: v.GenericSchema, params: unknown): void {
  const problem = problemOf(method, shape, params);
  if (problem !== null) throw new ResponseError(ErrorCodes.InvalidParams, problem);
}

/** Longest thing that is repeated to whoever sent it. */
const longest = 60;

function problemOf(method: string, shape: v.GenericSchema, params: unknown): string | null {
  const { issues } = v.safeParse(shape, params, { abortEarly: true });
  if (issues === undefined) return null;
  const [issue] = issues;
  const { received, message, type, expected } = issue;
  const place = v.getDotPath(issue);
  // A key that is not there is an issue of the mapping: it expects a name.
  const isMissing = type === 'object' && expected !== 'Object';
  const is = visible(received.length > longest ? `${received.slice(0, longest)}…` : received);
  return isMissing
    ? `${method} needs "${place}", which is missing.`
    : `${method} takes ${message}${place === null ? '' : ` for "${visible(place)}"`}, not ${is}.`;
}
