/** A step prompt as every feature reads it: parsed once for each version of its document. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Environment } from '../engine/environments/environment.ts';
import type { Problem } from '../engine/problem.ts';
import { type PromptRenderer, preparePrompt } from '../engine/prompts/render-prompt.ts';
import { parseStepPrompt, type RoleBlock, type StepPrompt } from '../engine/prompts/step-prompt.ts';

export interface PromptDocument {
  readonly text: string;
  readonly prompt: StepPrompt;
  /** What parsing found. */
  readonly problems: readonly Problem[];
  /** All there are. */
  readonly environments: readonly Environment[];
  /** The one it names; undefined when it names none that there is. */
  readonly environment: Environment | undefined;
  /** All of it, made ready to be rendered many times. */
  readonly renderer: PromptRenderer;
  /** The same for each role block by itself. */
  readonly blockRenderers: readonly PromptRenderer[];
}

/** Reads step prompts, and remembers what it read as long as the document stays as it is. */
export type PromptReader = (document: TextDocument) => PromptDocument;

export function createPromptReader(environments: readonly Environment[]): PromptReader {
  const known = new WeakMap<TextDocument, { readonly version: number; readonly parsed: PromptDocument }>();
  return (document) => {
    const last = known.get(document);
    if (last?.version === document.version) return last.parsed;
    const parsed = readPrompt(document.getText(), environments);
    known.set(document, { version: document.version, parsed });
    return parsed;
  };
}

/** Parses `text`; renderers are made when they are first asked for. */
export function readPrompt(text: string, environments: readonly Environment[]): PromptDocument {
  const { prompt, problems } = parseStepPrompt(text);
  let renderer: PromptRenderer | undefined;
  let blockRenderers: readonly PromptRenderer[] | undefined;
  return {
    text,
    prompt,
    problems,
    environments,
    environment: environments.find(({ id }) => id === prompt.environment),
    get renderer() {
      renderer ??= preparePrompt(prompt);
      return renderer;
    },
    get blockRenderers() {
      blockRenderers ??= prompt.blocks.map((block) => preparePrompt({ ...prompt, blocks: [block] }));
      return blockRenderers;
    },
  };
}

/** The role block whose text, below its role line, holds `offset`; undefined on a role line and in front matter. */
export function blockAt({ prompt }: PromptDocument, offset: number): RoleBlock | undefined {
  return prompt.blocks.find(({ template }) => template.start <= offset && offset <= template.end);
}
