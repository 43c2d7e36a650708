/** A step prompt as every feature reads it: parsed once for each version of its document. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { ChatMessage } from '../../engine/environments/chat.ts';
import type { Environment } from '../../engine/environments/environment.ts';
import type { Problem } from '../../engine/problem.ts';
import { defaultLimits } from '../../engine/prompts/compile.ts';
import { type PromptRenderer, preparePrompt, type Truncation } from '../../engine/prompts/render-prompt.ts';
import { parseStepPrompt, type RoleBlock, type StepPrompt } from '../../engine/prompts/step-prompt.ts';

export interface PromptDocument {
  readonly text: string;
  readonly prompt: StepPrompt;
  /** What parsing found. */
  readonly problems: readonly Problem[];
  /** All there are. */
  readonly environments: readonly Environment[];
  /** The one it names; undefined when it names none that there is. */
  readonly environment: Environment | undefined;
  /** The messages for an observation, as a model gets them. */
  render(observation: Observation): RenderedBlocks;
}

type Observation = Readonly<Record<string, unknown>>;

export interface RenderedBlocks {
  /** Of each role block the text of its message; '' for one that gives none. */
  readonly texts: readonly string[];
  /** Where the output was cut off; null when it was not. */
  readonly truncated: Truncation | null;
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

/** Parses `text`; its templates are compiled when it is first rendered. */
export function readPrompt(text: string, environments: readonly Environment[]): PromptDocument {
  const { prompt, problems } = parseStepPrompt(text);
  let renderers: readonly PromptRenderer[] | undefined;
  /** Of observations that lead beyond the limits, which takes its time: several features ask for the same one. */
  const cutOff = new WeakMap<Observation, RenderedBlocks>();
  return {
    text,
    prompt,
    problems,
    environments,
    environment: environments.find(({ id }) => id === prompt.environment),
    render(observation) {
      const known = cutOff.get(observation);
      if (known) return known;
      renderers ??= prompt.blocks.map((block) => preparePrompt({ ...prompt, blocks: [block] }));
      const texts = renderers.map((block) => {
        const { messages, truncated } = block.render(observation);
        return truncated ? null : (messages[0]?.content ?? '');
      });
      const whole = texts.filter((it) => it !== null);
      const length = whole.reduce((sum, it) => sum + it.length, 0);
      if (whole.length === texts.length && length <= defaultLimits.length)
        return { texts: whole, truncated: null };
      const truncated = renderTruncated(prompt, observation);
      cutOff.set(observation, truncated);
      return truncated;
    },
  };
}

/** Slower than block by block, and exact about where all of them together go beyond the limits. */
function renderTruncated(prompt: StepPrompt, observation: Observation): RenderedBlocks {
  const { messages, truncated } = preparePrompt(prompt).cutOff(observation);
  const texts = prompt.blocks.map(
    (_, at) => messages.find(({ block }) => block === at)?.message.content ?? '',
  );
  return { texts, truncated };
}

/** The messages that `document` gives, without those of the environment's dialogue. */
export function messagesOf(document: PromptDocument, observation: Observation): ChatMessage[] {
  const { texts } = document.render(observation);
  return document.prompt.blocks.flatMap(({ role }, block) => {
    const content = texts[block] ?? '';
    return content === '' ? [] : [{ role, content }];
  });
}

/** The role block whose text, below its role line, holds `offset`; undefined on a role line and in front matter. */
export function blockAt({ prompt }: PromptDocument, offset: number): RoleBlock | undefined {
  return prompt.blocks.find(({ template }) => template.start <= offset && offset <= template.end);
}
