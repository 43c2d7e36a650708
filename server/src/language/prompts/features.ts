/** What the editor may ask about a step prompt. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Environment } from '../../engine/environments/environment.ts';
import { accept, type Checked, type Problem, refuse } from '../../engine/problem.ts';
import type {
  InstanceLocation,
  PreviewMessage,
  PreviewPlace,
  PromptPreview,
  PromptRequest,
  PromptTokens,
} from '../../protocol.ts';
import { toDiagnostics } from '../diagnostics.ts';
import type { Features } from '../features.ts';
import type { Maker } from '../instances/making.ts';
import type { DocumentSettings } from '../settings.ts';
import { promptCodeActions } from './code-actions.ts';
import { promptCodeLenses } from './code-lenses.ts';
import { promptCompletion } from './completion.ts';
import { promptDefinition } from './definition.ts';
import { createPromptReader, type PromptDocument } from './document.ts';
import { promptFolding } from './folding.ts';
import { promptFormatting } from './formatting.ts';
import { promptHover } from './hover.ts';
import { promptInlayHints } from './inlay-hints.ts';
import { createPromptPreviewer } from './preview.ts';
import { createPreviews } from './previews.ts';
import { promptProblems } from './problems.ts';
import { promptRequest } from './request.ts';
import { promptSymbols } from './symbols.ts';
import type { TokenCounts } from './token-counts.ts';
import { promptSizes } from './tokens.ts';

/** What only step prompts can be asked. */
export interface PromptFeatures extends Features {
  /** To be awaited before asking, or before looking at another place: its instance may have to be made elsewhere. */
  prepare(document: TextDocument, place?: Partial<PreviewPlace>): Promise<void>;
  preview(
    document: TextDocument,
    place: Partial<PreviewPlace>,
    saved: string | null,
    settings: DocumentSettings,
  ): PromptPreview;
  previewPieces(uri: string, message: number, next: number): Checked<Pick<PreviewMessage, 'pieces' | 'next'>>;
  tokens(document: TextDocument): Promise<Checked<PromptTokens>>;
  /** The instance on which the prompt is previewed. */
  instance(document: TextDocument): Checked<InstanceLocation>;
  request(document: TextDocument): Checked<PromptRequest>;
  /** Call when a document is closed. */
  forget(uri: string): void;
}

/** What a prompt's features need of the service around them. */
export interface PromptSurroundings {
  readonly environments: readonly Environment[];
  readonly maker: Maker;
  readonly counts: TokenCounts;
  /** Called when counts have come that inlay hints did not have yet, and when a prompt is previewed elsewhere. */
  refresh(what: 'hints' | 'everything'): void;
}

/** How often a preview is prepared anew because of edits that came meanwhile. */
const rounds = 20;

interface FoundProblems {
  readonly place: string;
  readonly spoilers: boolean;
  readonly problems: readonly Problem[];
}

export function promptFeatures({ environments, maker, counts, refresh }: PromptSurroundings): PromptFeatures {
  const read = createPromptReader(environments);
  const previews = createPreviews(environments, maker);
  const previewer = createPromptPreviewer(environments);

  /** The last problems of each prompt: diagnostics, fixes and preview ask for the same ones. */
  const found = new WeakMap<PromptDocument, FoundProblems>();

  const previewOf = (document: TextDocument) => previews.of(document.uri, read(document).prompt);

  function problemsOf(document: TextDocument, { spoilers }: DocumentSettings): readonly Problem[] {
    const prompt = read(document);
    const preview = previewOf(document);
    const place = preview.ok ? JSON.stringify(preview.value.place) : preview.error;
    const known = found.get(prompt);
    if (known?.place === place && known.spoilers === spoilers) return known.problems;
    const failure = preview.ok ? null : previews.optionsFailure(document.uri, prompt.prompt);
    const problems = promptProblems(prompt, environments, preview, failure, spoilers);
    found.set(prompt, { place, spoilers, problems });
    return problems;
  }

  return {
    async prepare(document, place) {
      // Edits may come meanwhile, and ask for something else.
      for (let round = 0; round < rounds; round++) {
        if (await previews.prepare(document.uri, read(document).prompt, place)) return;
      }
    },
    diagnostics: (document, settings) => toDiagnostics(document, problemsOf(document, settings)),
    codeActions: (document, range, settings) =>
      promptCodeActions(document, range, read(document), problemsOf(document, settings)),
    codeLenses: (document, settings) => promptCodeLenses(document.uri, settings),
    completion: (document, position, { models }) =>
      promptCompletion(document, document.offsetAt(position), read(document), models),
    definition: (document, position) => promptDefinition(document.offsetAt(position), read(document)),
    documentSymbols: (document) => promptSymbols(document, read(document)),
    foldingRanges: (document) => promptFolding(document, read(document)),
    formatting: (document, range) => promptFormatting(document, range, read(document)),
    hover: (document, position, { spoilers }) =>
      promptHover(document, document.offsetAt(position), read(document), previewOf(document), spoilers),
    inlayHints(document, range, _, token) {
      const preview = previewOf(document);
      if (!preview.ok || token.isCancellationRequested) return [];
      const sizes = promptSizes(read(document), preview.value, counts);
      if (sizes.uncounted.length > 0) {
        void counts.all(sizes.uncounted).then((isComplete) => isComplete && refresh('hints'));
      }
      return promptInlayHints(document, range, read(document), preview.value, sizes, counts.tokenizer);
    },

    preview(document, place, saved, settings) {
      const prompt = read(document);
      const moved = previews.move(document.uri, prompt.prompt, place);
      if (moved.ok && moved.value) refresh('everything');
      const source = {
        document,
        prompt,
        problems: problemsOf(document, settings),
        preview: moved.ok ? previewOf(document) : moved,
      };
      return previewer.render(source, saved);
    },
    previewPieces: (uri, message, next) => previewer.more(uri, message, next),
    async tokens(document) {
      const prompt = read(document);
      const preview = previewOf(document);
      if (!preview.ok) return preview;
      await counts.all(promptSizes(prompt, preview.value, counts).uncounted);
      const { blocks, total } = promptSizes(prompt, preview.value, counts);
      return accept({ place: preview.value.place, blocks, total, tokenizer: counts.tokenizer });
    },
    instance(document) {
      const preview = previewOf(document);
      return preview.ok ? accept(preview.value.episode.location) : preview;
    },
    request(document) {
      const preview = previewOf(document);
      return preview.ok ? accept(promptRequest(read(document), preview.value)) : refuse(preview.error);
    },
    forget(uri) {
      previews.forget(uri);
      previewer.forget(uri);
    },
  };
}
