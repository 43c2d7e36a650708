/** Inlay hints of step prompts: after each role line, how many tokens its message has. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { InlayHint, Range } from 'vscode-languageserver-types';
import type { TokenRange } from '../../protocol.ts';
import type { PromptDocument } from './document.ts';
import type { Preview } from './previews.ts';
import type { PromptSizes } from './tokens.ts';

/** Hints of the role lines in `range`. `tokenizer` names the model's counter, e.g. `o200k`. */
export function promptInlayHints(
  document: TextDocument,
  range: Range,
  { prompt }: PromptDocument,
  preview: Preview,
  sizes: PromptSizes,
  tokenizer: string,
): InlayHint[] {
  const from = document.offsetAt(range.start);
  const to = document.offsetAt(range.end);
  return prompt.blocks.flatMap(({ line }, block) => {
    const size = sizes.blocks[block];
    if (!size || line.end < from || line.start > to) return [];
    return [
      {
        position: document.positionAt(line.end),
        label: sizeLabel(size, tokenizer),
        tooltip: { kind: 'markdown', value: sizeExplanation(size, preview, tokenizer) },
        paddingLeft: true,
      },
    ];
  });
}

/** E.g. `412 tokens (max 1,903) · o200k 530 (max 2,410)`. */
function sizeLabel({ step, most }: TokenRange, tokenizer: string): string {
  const upTo = (now: number, largest: number | null) =>
    largest === null || largest === now ? '' : ` (max ${grouped(largest)})`;
  const { environment, model } = step;
  const own = environment === null ? '' : `${tokens(environment)}${upTo(environment, most.environment)} · `;
  return `${own}${tokenizer} ${model === null ? '…' : grouped(model) + upTo(model, most.model)}`;
}

function tokens(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'token' : 'tokens'}`;
}

function sizeExplanation({ step, most }: TokenRange, { episode, place }: Preview, tokenizer: string): string {
  const { environment, instance, states, policy } = episode;
  const row = (name: string, now: number | null, largest: number | null) =>
    now === null ? '' : `| ${name} | ${grouped(now)} | ${largest === null ? '' : grouped(largest)} |\n`;
  return (
    `Size of this message on \`${instance.id}\`, played by \`${policy.id}\`\n\n` +
    `| tokens of | step ${place.step} of ${states.length} | largest step |\n|---|--:|--:|\n` +
    row(environment.title, step.environment, most.environment) +
    row(tokenizer, step.model, most.model) +
    '\nThe few tokens with which a model marks where messages begin are not counted.'
  );
}

/** A number with commas between its thousands. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
