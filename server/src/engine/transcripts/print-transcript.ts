/** Writes transcripts. */
import type { Event, Reply, ToolCall, Verdict } from '../environments/chat.ts';
import { toJson } from '../prompts/json.ts';
import { printFrontMatter } from '../prompts/print-front-matter.ts';
import { hasReservedLine, type MarkerWord, printMarker } from './marker.ts';
import { escapeLines, isPlain } from './text.ts';
import type { Transcript } from './transcript.ts';

type Values = readonly (readonly [key: string | null, value: string])[];

/**
 * The file for a transcript. Parsing it gives the same transcript, also after an editor has changed its line
 * ends, removed white space at the ends of lines or added line breaks at its end. Two things are not kept
 * because no episode has them: a verdict's value that is not JSON, and numbers that are not finite.
 */
export function printTranscript(transcript: Transcript): string {
  return printHeader(transcript) + printEvents(transcript.events, 1);
}

/** The blocks of events alone, each after an empty line; replies are numbered from `step` on. */
export function printEvents(events: readonly Event[], step: number): string {
  let next = step;
  return events
    .map((event) => (event.kind === 'reply' ? printReply(event, next++) : printVerdict(event)))
    .map((lines) => `\n${lines.join('\n')}\n`)
    .join('');
}

function printHeader(transcript: Transcript): string {
  const { outcome, sampling, options } = transcript;
  return printFrontMatter([
    ['format', 1],
    ['environment', transcript.environment],
    ['instance', transcript.instance],
    ['instance_hash', transcript.instanceHash],
    ['split', transcript.split],
    ['index', transcript.index],
    ['instances', transcript.instances],
    ['options', isEmpty(options) ? null : options],
    ['prompt', transcript.prompt],
    ['prompt_hash', transcript.promptHash],
    ['model', transcript.model],
    ['policy', transcript.policy],
    ['sampling', isEmpty(sampling) ? null : sampling],
    ['outcome', outcome],
  ]);
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

function printReply(reply: Reply, step: number): string[] {
  const { text, reasoning, toolCalls, finish, usage } = reply;
  const count = (key: string, tokens: number | undefined): Values =>
    tokens === undefined ? [] : [[key, String(Number.isFinite(tokens) ? tokens : 0)]];
  const values: Values = [
    [null, String(step)],
    ...(finish === undefined ? [] : [['finish', finish] as const]),
    ...(usage === undefined ? [] : [...count('input', usage.input), ...count('output', usage.output)]),
    ...count('cached', usage?.cachedInput),
    ...count('reasoning', usage?.reasoning),
    ...(toolCalls?.length === 0 ? [['calls', 'none'] as const] : []),
  ];
  return [
    ...printText('step', values, text),
    ...(reasoning === undefined ? [] : printText('reasoning', [], reasoning)),
    ...(toolCalls ?? []).flatMap(printCall),
  ];
}

function printCall({ name, id, arguments: raw }: ToolCall): string[] {
  return printText(
    'call',
    [
      [null, name],
      ['id', id],
    ],
    raw,
  );
}

function printVerdict({ judge, value }: Verdict): string[] {
  return [printMarker('verdict', [[null, judge]], false), toJson(value, 2)];
}

function printText(word: MarkerWord, values: Values, text: string): string[] {
  const escaped = !isPlain(text) || hasReservedLine(text);
  const lines = escaped ? escapeLines(text) : text === '' ? [] : [text];
  return [printMarker(word, values, escaped), ...lines];
}
