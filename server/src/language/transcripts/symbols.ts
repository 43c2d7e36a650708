/** The outline of a transcript: what was played, then step by step what was done. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { DocumentSymbol, Range, SymbolKind } from 'vscode-languageserver-types';
import type { Event } from '../../engine/environments/chat.ts';
import type { Range as Offsets } from '../../engine/prompts/template.ts';
import type { EventBlock } from '../../engine/transcripts/transcript.ts';
import { asLabel } from '../sentence.ts';
import type { Analysis } from './analysis.ts';
import { gaugeText } from './hints.ts';

/** Enough of a reply for a line of an outline. */
const longestName = 60;

export function transcriptSymbols(document: TextDocument, analysis: Analysis): DocumentSymbol[] {
  const { parsed } = analysis;
  const { transcript, layout } = parsed;
  const toRange = ({ start, end }: Offsets) =>
    Range.create(document.positionAt(start), document.positionAt(end));
  const symbols: DocumentSymbol[] = [];
  if (layout.frontMatter !== null) {
    const range = toRange(layout.frontMatter);
    const name = asLabel(transcript.instance) || 'Front matter';
    symbols.push(
      DocumentSymbol.create(
        name,
        asLabel(transcript.environment) || undefined,
        SymbolKind.File,
        range,
        range,
      ),
    );
  }
  let number = 0;
  for (const [index, block] of layout.blocks.entries()) {
    const event = transcript.events[index];
    if (event === undefined) continue;
    if (event.kind === 'reply') number++;
    const { name, detail, kind } = describeEvent(analysis, event, index, number);
    const children = partsOf(block, event).map((part) => {
      const range = toRange({ start: part.marker.start, end: Math.max(part.marker.end, part.content.end) });
      return DocumentSymbol.create(asLabel(part.name), undefined, part.kind, range, toRange(part.marker));
    });
    const range = toRange({ start: block.start, end: endOf(block) });
    symbols.push(
      DocumentSymbol.create(asLabel(name), detail, kind, range, toRange(block.text.marker), children),
    );
  }
  return symbols;
}

interface Described {
  readonly name: string;
  readonly detail: string | undefined;
  readonly kind: SymbolKind;
}

function describeEvent(analysis: Analysis, event: Event, index: number, number: number): Described {
  if (event.kind === 'verdict') {
    return { name: `Verdict of ${event.judge || 'nobody'}`, detail: undefined, kind: SymbolKind.Event };
  }
  const { environment, replay } = analysis;
  const step = replay?.steps[index];
  if (!environment?.commentary || !step || step.fault !== null) {
    return {
      name: `${number} ${firstLine(event.text)}`.trimEnd(),
      detail: undefined,
      kind: SymbolKind.Method,
    };
  }
  const label = environment.commentary.label(step.after);
  return { name: `${number} ${label}`, detail: gaugeText(environment, step.after), kind: SymbolKind.Method };
}

function firstLine(text: string): string {
  const line = /\S[^\r\n\u2028\u2029]*/.exec(text.slice(0, 10_000))?.[0] ?? '';
  return line.length > longestName ? `${line.slice(0, longestName)}…` : line;
}

function partsOf({ reasoning, calls }: EventBlock, event: Event) {
  const names = event.kind === 'reply' ? (event.toolCalls ?? []) : [];
  return [
    ...(reasoning === null ? [] : [{ ...reasoning, name: 'Reasoning', kind: SymbolKind.String }]),
    ...calls.map((call, i) => ({
      ...call,
      name: `Call ${names[i]?.name ?? ''}`.trimEnd(),
      kind: SymbolKind.Function,
    })),
  ];
}

/** Where the last part of a block ends, without the blank lines before the next one. */
export function endOf({ text, reasoning, calls }: EventBlock): number {
  let end = Math.max(text.marker.end, text.content.end);
  for (const part of reasoning === null ? calls : [reasoning, ...calls]) {
    end = Math.max(end, part.marker.end, part.content.end);
  }
  return end;
}
