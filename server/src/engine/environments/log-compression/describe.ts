/** A record for a person who may know everything: sizes, what is critical and where, what the reference makes of it. Markdown. */
import { counted, fixed } from '../../text/numbers.ts';
import { named, visible } from '../../text/visible.ts';
import { contentOf, prefixOf } from './fidelity.ts';
import type { Instance } from './instance.ts';
import { compress } from './reference.ts';
import { estimateTokens, scaleOf } from './scoring.ts';

/** The whole page, ending in a newline. */
export function describe(instance: Instance): string {
  const { id, raw, critical, reference_ratio, ideal_ratio, prefix_regex } = instance;
  const { branch } = scaleOf(reference_ratio, ideal_ratio);
  const lines = raw.split('\n');
  const facts = [
    `- case ${named(instance.case)}`,
    `- ${counted(lines.length, 'line')}, ${counted(estimateTokens(raw), 'token')}`,
    `- reference ratio ${fixed(reference_ratio, 4)}, ideal ratio ${fixed(ideal_ratio, 4)}${branch === 'floor' ? ': no headroom' : ''}`,
    `- prefix: ${prefix_regex === '' ? 'none' : `\`${named(prefix_regex)}\``}`,
  ];
  return [
    `# ${named(id)}`,
    facts.join('\n'),
    '## Critical lines',
    criticalTable(instance),
    `## Log\n\n${fenced(raw)}`,
    `## What the reference makes of it\n\n${fenced(compress(raw))}`,
    critical.length === 0 ? 'No line is critical.' : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

/** A row for each distinct content, with the numbers of its lines. */
function criticalTable(instance: Instance): string {
  const prefix = prefixOf(instance);
  const places = new Map<string, number[]>();
  for (const { line, text } of instance.critical) {
    const content = contentOf(text, prefix);
    const numbers = places.get(content);
    if (numbers === undefined) places.set(content, [line]);
    else numbers.push(line);
  }
  const rows = Array.from(
    places,
    ([content, numbers]) => `| ${numbers.join(', ')} | ${visible(content).replace(/\|/g, '\\|')} |`,
  );
  return ['| lines | content |', '| --- | --- |', ...rows].join('\n');
}

/** As a block of code, whatever it holds. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const shown = text.split('\n').map(visible).join('\n');
  return `${fence}\n${shown}\n${fence}`;
}
