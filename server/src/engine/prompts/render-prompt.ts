/** Renders step prompts: the messages that a model gets for an observation. */
import type { ChatMessage } from '../environments/chat.ts';
import { compileTemplate, defaultLimits, type Limits } from './compile.ts';
import type { RoleBlock, StepPrompt } from './step-prompt.ts';
import type { Range } from './template.ts';
import { renderTraced, type Span } from './trace.ts';

/** Where a rendering passed a limit: the tag or text at which its output ends. */
export interface Truncation extends Range {
  /** Index of the role block. */
  readonly block: number;
}

export interface Rendered {
  readonly messages: readonly ChatMessage[];
  readonly truncated: Truncation | null;
}

/** A message with the origin of each piece of its content. */
interface TracedMessage {
  readonly message: ChatMessage;
  /** Index of the role block. */
  readonly block: number;
  /** `output` counts from the start of the content, `source` from the start of the file. */
  readonly spans: readonly Span[];
}

interface TracedPrompt {
  readonly messages: readonly TracedMessage[];
  readonly truncated: Truncation | null;
}

/** A step prompt made ready to be rendered many times. */
export interface PromptRenderer {
  /** The messages for an observation. A name is looked up only when its tag is printed, and nothing is enumerated. */
  render(observation: Readonly<Record<string, unknown>>): Rendered;
  /** The same messages with the origin of each piece: slower, for a preview. */
  trace(observation: Readonly<Record<string, unknown>>): TracedPrompt;
  /** The same without spans: exact about where the output goes beyond the limits. */
  cutOff(observation: Readonly<Record<string, unknown>>): TracedPrompt;
}

/**
 * Prepares a step prompt. Each block gives a message in its role, without blank lines before and after its
 * text and without the last line break; a block that prints nothing else gives none. The limits hold for all
 * blocks together; what goes beyond is cut off and `truncated` says where.
 */
export function preparePrompt(prompt: StepPrompt, limits: Limits = defaultLimits): PromptRenderer {
  const blocks = prompt.blocks.map((block) => ({ ...block, print: compileTemplate(block.template, limits) }));
  return {
    trace: (observation) => tracePrompt(prompt.blocks, observation, limits, true),
    cutOff: (observation) => tracePrompt(prompt.blocks, observation, limits, false),
    render(observation) {
      const messages: ChatMessage[] = [];
      let length = 0;
      for (const { role, print } of blocks) {
        const text = print(observation);
        length += text?.length ?? Number.POSITIVE_INFINITY;
        if (text === null || length > limits.length) {
          const traced = this.cutOff(observation);
          return { messages: traced.messages.map(({ message }) => message), truncated: traced.truncated };
        }
        const content = trimBlankLines(text);
        if (content !== '') messages.push({ role, content });
      }
      return { messages, truncated: null };
    },
  };
}

/** The messages of a step prompt for one observation; to render many, prepare the prompt once. */
export function renderPrompt(prompt: StepPrompt, observation: Readonly<Record<string, unknown>>): Rendered {
  return preparePrompt(prompt).render(observation);
}

function tracePrompt(
  blocks: readonly RoleBlock[],
  observation: Readonly<Record<string, unknown>>,
  limits: Limits,
  wantsSpans: boolean,
): TracedPrompt {
  const messages: TracedMessage[] = [];
  let room = limits.length;
  for (const [block, { role, template }] of blocks.entries()) {
    const { text, spans, cutOffAt } = renderTraced(
      template,
      observation,
      { ...limits, length: room },
      wantsSpans,
    );
    room -= text.length;
    const { start, end } = blankLinesAround(text);
    if (end > start) {
      messages.push({
        message: { role, content: text.slice(start, end) },
        block,
        spans: clip(spans, start, end),
      });
    }
    if (cutOffAt !== null) return { messages, truncated: { block, ...cutOffAt } };
  }
  return { messages, truncated: null };
}

/** Spans between `start` and `end`, counted from `start`. */
function clip(spans: readonly Span[], start: number, end: number): Span[] {
  return spans.flatMap(({ output, source, name }) => {
    const from = Math.max(output.start, start);
    const to = Math.min(output.end, end);
    return to > from ? [{ output: { start: from - start, end: to - start }, source, name }] : [];
  });
}

function trimBlankLines(text: string): string {
  const { start, end } = blankLinesAround(text);
  return text.slice(start, end);
}

/** What is left of `text` without blank lines at both ends and without the last line break. */
function blankLinesAround(text: string): Range {
  let start = 0;
  for (let at = 0; at < text.length && isSpace(text.charCodeAt(at)); at++) {
    if (text.charCodeAt(at) === lineFeed) start = at + 1;
  }
  let end = text.length;
  for (let at = text.length; at > start && isSpace(text.charCodeAt(at - 1)); at--) {
    if (text.charCodeAt(at - 1) === lineFeed) end = at - 1;
  }
  // A text of blanks alone has no line with anything on it.
  const blank = end <= start || text.slice(start, end).trim() === '';
  return blank ? { start: 0, end: 0 } : { start, end };
}

const lineFeed = 0x0a;

function isSpace(code: number): boolean {
  return code === lineFeed || code === 0x20 || code === 0x09 || code === 0x0d;
}
