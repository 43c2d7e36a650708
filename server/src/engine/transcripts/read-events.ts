/** Reads the blocks of a transcript, from the first marker to the end of the file. */
import type { Event, Reply, ToolCall } from '../environments/chat.ts';
import type { Problem } from '../problem.ts';
import type { Line } from '../prompts/lines.ts';
import type { MarkerValue } from './marker.ts';
import { type Section, splitSections } from './sections.ts';
import { readStepValues } from './step-values.ts';
import { unescapeLine, withoutBlankLines } from './text.ts';
import type { EventBlock, TextPart } from './transcript.ts';

/** Events and where each stands. */
export interface ReadEvents {
  readonly events: readonly Event[];
  readonly blocks: readonly EventBlock[];
}

/** The events in `lines` of `file`, and where each stands; `before` are those that stand above. */
export function readEvents(
  file: string,
  lines: readonly Line[],
  problems: Problem[],
  before: ReadEvents = { events: [], blocks: [] },
): ReadEvents {
  const reader = new EventReader(file, problems, before);
  for (const section of splitSections(file, lines, problems)) reader.section(section);
  return { events: reader.events, blocks: reader.finish() };
}

/** An event block while its parts are still coming. */
type OpenBlock = { -readonly [key in keyof EventBlock]: EventBlock[key] } & { readonly calls: TextPart[] };

class EventReader {
  readonly events: Event[];
  readonly #file: string;
  readonly #problems: Problem[];
  readonly #before: readonly EventBlock[];
  readonly #blocks: OpenBlock[] = [];
  #steps: number;
  /** Of the last step; its reply holds this list once there is a call. */
  #calls: ToolCall[] = [];

  constructor(file: string, problems: Problem[], { events, blocks }: ReadEvents) {
    this.#file = file;
    this.#problems = problems;
    this.events = [...events];
    this.#before = blocks;
    this.#steps = events.reduce((steps, { kind }) => (kind === 'reply' ? steps + 1 : steps), 0);
  }

  finish(): readonly EventBlock[] {
    const last = this.#blocks.at(-1);
    if (last !== undefined) last.end = this.#file.length;
    return this.#before.length === 0 ? this.#blocks : [...this.#before, ...this.#blocks];
  }

  section(section: Section): void {
    const { marker, line } = section;
    if (marker.badFrom !== null) {
      this.#report(
        'bad-marker',
        'The rest of this line cannot be read.',
        line.start + marker.badFrom,
        line.end,
      );
    }
    if (marker.word === 'step') this.#step(section);
    else if (marker.word === 'verdict') this.#verdict(section);
    else this.#part(section);
  }

  #step(section: Section): void {
    const { marker, line } = section;
    this.#steps++;
    const [number, ...others] = marker.values.filter(({ key }) => key === null);
    for (const value of others) this.#badValue(line, value, 'A step has one number.');
    if (number?.value !== String(this.#steps)) this.#wrongNumber(line, number);
    const { finish, usage, noCalls } = readStepValues(marker, (value, message) =>
      this.#badValue(line, value, message),
    );
    const { part, text } = this.#text(section);
    this.#open({ kind: 'step', start: line.start, end: 0, text: part, reasoning: null, calls: [] });
    this.#calls = [];
    this.events.push({
      kind: 'reply',
      text,
      ...(noCalls ? { toolCalls: [] } : {}),
      ...(finish === null ? {} : { finish }),
      ...(usage === null ? {} : { usage }),
    });
  }

  #wrongNumber(line: Line, number: MarkerValue | undefined): void {
    const expected = this.#steps;
    this.#problems.push({
      code: 'transcript.step-number',
      severity: 'warning',
      message: `This is step ${expected}.`,
      start: line.start + (number?.start ?? 0),
      end: number === undefined ? line.end : line.start + number.end,
      data: { expected },
    });
  }

  /** Reasoning or a tool call: belongs to the step before it. */
  #part(section: Section): void {
    const { marker, line } = section;
    const block = this.#blocks.at(-1);
    const event = this.events.at(-1);
    if (block === undefined || event === undefined || event.kind !== 'reply') {
      this.#report('misplaced', `A ${marker.word} belongs to a step.`, line.start, line.end);
    } else if (marker.word === 'call') {
      const { part, text } = this.#text(section);
      block.calls.push(part);
      this.#calls.push(this.#call(section, text));
      if (this.#calls.length === 1) this.#replaceReply({ ...event, toolCalls: this.#calls });
    } else if (block.reasoning !== null) {
      this.#report('misplaced', 'This step has its reasoning already.', line.start, line.end);
    } else {
      const { part, text } = this.#text(section);
      block.reasoning = part;
      for (const value of marker.values) this.#badValue(line, value, 'Nothing stands here.');
      this.#replaceReply({ ...event, reasoning: text });
    }
  }

  #call({ marker, line }: Section, text: string): ToolCall {
    const names = marker.values.filter(({ key }) => key === null);
    const ids = marker.values.filter(({ key }) => key === 'id');
    for (const value of marker.values) {
      if (value !== names[0] && value !== ids[0]) this.#badValue(line, value, 'A call has a name and an id.');
    }
    if (names.length === 0)
      this.#report('bad-marker', 'A call needs the name of a tool.', line.start, line.end);
    return { id: ids[0]?.value ?? '', name: names[0]?.value ?? '', arguments: text };
  }

  #verdict(section: Section): void {
    const { marker, line, body } = section;
    const lines = withoutBlankLines(this.#file, body);
    const [judge, ...others] = marker.values;
    for (const other of others) this.#badValue(line, other, 'A verdict has the name of its judge.');
    if (judge === undefined)
      this.#report('bad-marker', 'A verdict needs the name of its judge.', line.start, line.end);
    const part = partOf(section, lines);
    const { start, end } = part.content;
    let value: unknown = null;
    try {
      value = JSON.parse(this.#file.slice(start, end));
    } catch {
      const where = end > start ? part.content : part.marker;
      this.#report('bad-verdict', 'A verdict is JSON.', where.start, where.end);
    }
    this.#open({ kind: 'verdict', start: line.start, end: 0, text: part, reasoning: null, calls: [] });
    this.events.push({ kind: 'verdict', judge: judge?.value ?? '', value });
  }

  #text(section: Section): { part: TextPart; text: string } {
    const lines = withoutBlankLines(this.#file, section.body);
    const part = partOf(section, lines);
    const written = lines.map(({ start, end }) => this.#file.slice(start, end).trimEnd());
    if (!part.escaped) return { part, text: written.join('\n') };
    const texts = written.map((content, index) => {
      if (content === '') return '';
      const text = unescapeLine(content);
      if (text !== null) return text;
      const start = lines[index]?.start ?? 0;
      const message = 'In an escaped text each line is a JSON string: "…".';
      this.#report('bad-escape', message, start, start + content.length);
      return `${content}\n`;
    });
    return { part, text: texts.join('') };
  }

  #open(block: OpenBlock): void {
    const last = this.#blocks.at(-1);
    if (last !== undefined) last.end = block.start;
    this.#blocks.push(block);
  }

  #replaceReply(reply: Reply): void {
    this.events[this.events.length - 1] = reply;
  }

  #badValue(line: Line, value: MarkerValue, message: string): void {
    this.#report('bad-marker', message, line.start + value.start, line.start + value.end);
  }

  #report(code: string, message: string, start: number, end: number): void {
    this.#problems.push({ code: `transcript.${code}`, severity: 'error', message, start, end });
  }
}

function partOf({ marker, line }: Section, lines: readonly Line[]): TextPart {
  const start = lines[0]?.start ?? line.end;
  return {
    marker: { start: line.start, end: line.end },
    content: { start, end: lines.at(-1)?.end ?? start },
    escaped: marker.escaped,
  };
}
