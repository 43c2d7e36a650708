/**
 * An instance for a person who may know everything: what is asked, how the chain runs, which traps lie beside it
 * and where they lead, and how the document is laid out. As Markdown.
 */

import { counted } from '../../text/numbers.ts';
import { named, visible } from '../../text/visible.ts';
import type { Distractor, Evidence, Instance } from './instance.ts';
import { mapOf } from './map.ts';

const kinds: Readonly<Record<string, string>> = {
  near_miss_entity: 'twin',
  near_miss_value: 'near value',
  superseded_link: 'superseded link',
  superseded_value: 'superseded value',
};

/** The whole page, ending in a newline. */
export function describe(instance: Instance): string {
  const { n_hops, doc_tokens, chunks, env, min_steps, compression_required } = instance;
  const facts = [
    `- ${counted(n_hops, 'hop')}, ${counted(chunks.length, 'chunk')}, ${counted(doc_tokens, 'token')}`,
    `- ceiling ${counted(env.context_ceiling, 'token')}, step budget ${env.step_budget}, shortest episode ${counted(min_steps, 'step')}` +
      (compression_required ? ' with compression' : ''),
    `- ${counted(instance.candidate_answers.length, 'candidate answer')}`,
    `- accepted at attempt ${instance.generator.attempts}`,
  ];
  return [
    `# ${named(instance.id)}`,
    `**${visible(instance.question)}**`,
    visible(`Answer: \`${instance.answer}\` (${instance.answer_type} of a ${instance.answer_entity_type})`),
    facts.join('\n'),
    '## Chain of evidence',
    table(['hop', 'chunk', 'entity', 'field', 'value', 'token offset'], instance.evidence.map(evidenceRow)),
    '## Distractors',
    table(
      ['hop', 'chunk', 'kind', 'entity', 'value', 'wrong answer'],
      instance.distractors.map(distractorRow),
    ),
    '## Map',
    mapOf(instance)
      .map((line) => `- ${visible(line)}`)
      .join('\n'),
    '',
  ].join('\n\n');
}

function evidenceRow({ hop, chunk_idx, entity, field, value, token_offset }: Evidence): string[] {
  return [String(hop + 1), String(chunk_idx), entity, field, value, String(token_offset)];
}

function distractorRow({ hop, chunk_idx, kind, entity, value, wrong_answer }: Distractor): string[] {
  return [String(hop + 1), String(chunk_idx), kinds[kind] ?? kind, entity, value, wrong_answer ?? 'none'];
}

/** A Markdown table. Bars and line ends in cells would break it, so they are replaced. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => visible(cell.replace(/\s+/g, ' ')).replace(/\|/g, '\\|')).join(' | ')} |`;
  if (rows.length === 0) return 'None.';
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
