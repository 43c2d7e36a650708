/**
 * An instance for a person who may know everything: what is asked, how the chain runs, which traps lie beside it
 * and where they lead, and how the document is laid out. As Markdown.
 */
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
    `- ${n_hops} hops, ${chunks.length} chunks, ${doc_tokens} tokens`,
    `- ceiling ${env.context_ceiling} tokens, step budget ${env.step_budget}, shortest episode ${min_steps} steps` +
      (compression_required ? ' with compression' : ''),
    `- ${instance.candidate_answers.length} candidate answers`,
    `- accepted at attempt ${instance.generator.attempts}`,
  ];
  return [
    `# ${instance.id}`,
    `**${instance.question}**`,
    `Answer: \`${instance.answer}\` (${instance.answer_type} of a ${instance.answer_entity_type})`,
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
      .map((line) => `- ${line}`)
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
    `| ${cells.map((cell) => cell.replace(/\|/g, '\\|').replace(/\s+/g, ' ')).join(' | ')} |`;
  if (rows.length === 0) return 'None.';
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
