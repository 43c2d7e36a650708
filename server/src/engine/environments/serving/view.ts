/** A task as a document: what the agent is told and what it can look up of its own, without what makes it right. */
import type { InstanceText, Part } from '../view.ts';
import type { Instance } from './instance.ts';

/** Lays out a task under headings. */
export function viewInstance({
  id,
  scenario,
  window,
  timestamp,
  phase,
  instruction,
  own,
}: Instance): InstanceText {
  const parts: Part[] = [];
  let text = '';
  const heading = (name: string, body: string): void => {
    const start = text.length;
    text += `# ${name}\n\n${body}\n\n`;
    parts.push({
      kind: 'heading',
      name,
      detail: '',
      start,
      end: text.length,
      nameStart: start + 2,
      nameEnd: start + 2 + name.length,
      children: [],
    });
  };
  heading(id, `${scenario}, ${phase} task of window ${window}, position ${timestamp}`);
  heading('Task', instruction);
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  switch (own.domain) {
    case 'retail':
      heading('Customer', json(own.user));
      heading('Order', json(own.order));
      break;
    case 'banking':
      heading('Case', json(own.case));
      break;
    case 'pitch':
      heading('Facts', own.sheet.facts.map(({ attribute, line }) => `- ${attribute}: ${line}`).join('\n'));
  }
  return { text, parts };
}
