/** Asks a language service everything that an editor may ask about a document, and checks every answer. */
import { CancellationToken, CancellationTokenSource } from 'vscode-jsonrpc';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Position, Range } from 'vscode-languageserver-types';
import type { Stream } from '../../server/src/engine/random/stream.ts';
import type { LanguageService } from '../../server/src/language/service.ts';
import { DEFAULTS, type DocumentSettings } from '../../server/src/language/settings.ts';
import type { PreviewPlace } from '../../server/src/protocol.ts';
import * as check from './checks.ts';

/** No single answer may take longer, in ms. Far above what any takes: it is to find what never ends. */
const PATIENCE = 10_000;

/** Where and how a document is asked about; the same for two documents of one text. */
export interface Occasion {
  readonly position: Position;
  readonly range: Range;
  readonly settings: DocumentSettings;
  readonly place: Partial<PreviewPlace>;
  readonly saved: string | null;
}

export function randomOccasion(document: TextDocument, stream: Stream, saved: string): Occasion {
  const length = document.getText().length;
  const at = stream.between(0, length);
  const [start, end] = [at, stream.between(0, length)].sort((a, b) => a - b);
  const moves = stream.chance(0.1);
  return {
    position: document.positionAt(at),
    range: { start: document.positionAt(start ?? 0), end: document.positionAt(end ?? 0) },
    settings: { ...DEFAULTS, spoilers: stream.chance(0.8), models: ['some-model', 'a "quoted" one'] },
    place: moves ? { index: stream.below(3), step: stream.between(1, 9) } : {},
    saved: stream.chance(0.5) ? saved : null,
  };
}

/** The slowest answer so far. */
export interface Slowest {
  name: string;
  milliseconds: number;
}

/**
 * Every answer by the name of its feature.
 *
 * @throws Error when a feature throws or an answer is not what it must be
 */
export function askEverything(
  service: LanguageService,
  document: TextDocument,
  { position, range, settings, place, saved }: Occasion,
  slowest: Slowest,
  token: CancellationToken = CancellationToken.None,
): Readonly<Record<string, unknown>> {
  const whole: Range = {
    start: { line: 0, character: 0 },
    end: document.positionAt(document.getText().length),
  };
  const answers: Record<string, unknown> = {};

  function ask<T>(name: string, question: () => T, checking: (answer: T) => void): void {
    const started = performance.now();
    try {
      const answer = question();
      checking(answer);
      answers[name] = answer;
    } catch (error) {
      throw new Error(`${name} at ${JSON.stringify({ position, range })}`, { cause: error });
    }
    const milliseconds = performance.now() - started;
    if (milliseconds > slowest.milliseconds) Object.assign(slowest, { name, milliseconds });
    if (milliseconds > PATIENCE) throw new Error(`${name} took ${milliseconds} ms`);
  }

  ask(
    'preview',
    () => service.prompts.preview(document, place, saved, settings),
    ({ problems, rendering }) => {
      for (const { line, character } of problems) check.checkPosition(document, { line, character });
      if (rendering && rendering.messages.length > 0) service.prompts.previewPieces(document.uri, 0, 0);
    },
  );
  ask(
    'diagnostics',
    () => service.diagnostics(document, settings, token),
    (found) => check.checkDiagnostics(document, found),
  );
  for (const asked of [whole, range]) {
    const where = asked === whole ? 'all' : 'some';
    ask(
      `inlayHints of ${where}`,
      () => service.inlayHints(document, asked, settings, token),
      (hints) => check.checkHints(document, asked, hints),
    );
    const tokenRange = asked === whole ? null : asked;
    ask(
      `semanticTokens of ${where}`,
      () => service.semanticTokens(document, tokenRange, settings, token),
      (data) => check.checkTokens(document, data),
    );
    ask(
      `formatting of ${where}`,
      () => service.formatting(document, tokenRange, token),
      (edits) => {
        check.checkEdits(document, edits);
      },
    );
    ask(
      `codeActions of ${where}`,
      () => service.codeActions(document, asked, settings, token),
      (actions) => check.checkCodeActions(document, actions),
    );
  }
  ask(
    'documentSymbols',
    () => service.documentSymbols(document, settings, token),
    (symbols) => check.checkSymbols(document, symbols),
  );
  ask(
    'foldingRanges',
    () => service.foldingRanges(document, token),
    (ranges) => check.checkFolding(document, ranges),
  );
  ask(
    'codeLenses',
    () => service.codeLenses(document, settings, token),
    (lenses) => {
      for (const lens of lenses) check.checkRange(document, lens.range);
    },
  );
  ask(
    'completion',
    () => service.completion(document, position, settings, token),
    (items) => check.checkCompletion(document, position, items),
  );
  ask(
    'hover',
    () => service.hover(document, position, settings, token),
    (hover) => {
      if (hover?.range) check.checkRange(document, hover.range);
    },
  );
  ask(
    'definition',
    () => service.definition(document, position, token),
    (locations) => check.checkLocations(document, locations),
  );
  ask(
    'references',
    () => service.references(document, position, token),
    (locations) => check.checkLocations(document, locations),
  );
  ask(
    'documentHighlights',
    () => service.documentHighlights(document, position, token),
    (highlights) => {
      for (const highlight of highlights) check.checkRange(document, highlight.range);
    },
  );
  ask(
    'documentLinks',
    () => service.documentLinks(document, token),
    (links) => {
      for (const link of links) check.checkRange(document, link.range);
    },
  );
  ask(
    'instanceMarks',
    () => service.instanceMarks(document, token),
    (marks) => {
      for (const mark of marks) check.checkRange(document, mark.range);
    },
  );
  ask(
    'heldChunks',
    () => service.heldChunks(document, position),
    () => {},
  );
  ask(
    'workspaceSymbols',
    () => service.workspaceSymbols([document], 'sa', settings, token),
    (symbols) =>
      check.checkLocations(
        document,
        symbols.map(({ location }) => location),
      ),
  );
  ask(
    'instance of a prompt',
    () => service.prompts.instance(document),
    () => {},
  );
  ask(
    'request of a prompt',
    () => service.prompts.request(document),
    () => {},
  );
  return answers;
}

/** Asks everything for somebody who no longer waits: nothing may throw, whatever is answered. */
export function askInVain(
  service: LanguageService,
  document: TextDocument,
  occasion: Occasion,
  slowest: Slowest,
): void {
  const source = new CancellationTokenSource();
  source.cancel();
  askEverything(service, document, occasion, slowest, source.token);
}
