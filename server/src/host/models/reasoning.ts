/**
 * Where a model's reasoning is in what an endpoint sends. There is no standard: some endpoints have a field for it,
 * under one of several names, some send it as parts of the content, and some leave it in the text between tags.
 */
import { isRecord } from '../jsonl.ts';

/** The text of a reply and the reasoning before it. */
export interface Said {
  readonly text: string;
  /** Empty when there is none. */
  readonly reasoning: string;
}

/** Fields of a message or of a piece of one, the first that holds text counts: some endpoints fill two with the same. */
const reasoningFields = [
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'thinking',
  'thinking_blocks',
];

/** The reasoning in a message or in a piece of one; empty when there is none. */
export function reasoningOf(message: Readonly<Record<string, unknown>>): string {
  for (const field of reasoningFields) {
    const text = textOf(message[field]);
    if (text !== '') return text;
  }
  return '';
}

/** The content of a message or of a piece of one: text, or a list of parts of which some may be reasoning. */
export function contentOf(content: unknown): Said {
  if (typeof content === 'string') return { text: content, reasoning: '' };
  if (!Array.isArray(content)) return { text: '', reasoning: '' };
  const isReasoning = (part: unknown) => isRecord(part) && /think|reason/.test(String(part['type']));
  return {
    text: textOf(content.filter((part) => !isReasoning(part))),
    reasoning: textOf(content.filter(isReasoning)),
  };
}

/** All text in a value of one of the shapes that endpoints use for text; `depth` bounds parts within parts. */
function textOf(value: unknown, depth = 4): string {
  if (typeof value === 'string') return value;
  if (depth === 0) return '';
  if (Array.isArray(value)) return value.map((part) => textOf(part, depth - 1)).join('');
  if (!isRecord(value)) return '';
  const inner = [value['text'], value['thinking'], value['summary'], value['content']];
  return inner.map((part) => textOf(part, depth - 1)).find((text) => text !== '') ?? '';
}

const opening = /^\s*<(think|thinking)>/;

/**
 * Takes reasoning between `<think>` and `</think>` (or `thinking`) from the beginning of a text. Some models get the
 * opening tag as a part of their prompt, so a closing tag alone ends reasoning too; reasoning that was cut off before its
 * closing tag leaves an empty text. Tags further on are text.
 */
export function splitReasoning(content: string): Said {
  const opened = opening.exec(content);
  const start = opened?.[0].length ?? 0;
  const name = opened?.[1] ?? 'think';
  const closing = `</${name}>`;
  const end = content.indexOf(closing, start);
  if (end < 0) {
    return opened === null
      ? { text: content, reasoning: '' }
      : { text: '', reasoning: content.slice(start).trim() };
  }
  const between = content.slice(start, end);
  // An opening tag inside a text that does not begin with one is talk about tags.
  if (opened === null && between.includes(`<${name}>`)) return { text: content, reasoning: '' };
  return {
    text: content.slice(end + closing.length).replace(/^\s+/, ''),
    reasoning: between.trim(),
  };
}

/** Two pieces of reasoning from different places as one text. */
export function joinReasoning(first: string, second: string): string {
  if (first.trim() === '' || second.trim() === '' || first === second)
    return first.trim() === '' ? second : first;
  return `${first}\n\n${second}`;
}
