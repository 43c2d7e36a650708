/** Keeps one note, which a model writes anew after each block. */
import protocol from '../../../../../../prompts/serving/protocol.json' with { type: 'json' };
import type { Method } from '../../streams.ts';
import { fill } from '../fill.ts';

/** In UTF-16 code units. */
const LONGEST_NOTE = 2000;

const texts = protocol.methods;

export const notes: Method<string> = {
  id: 'notes',
  description: `Keeps a note of at most ${LONGEST_NOTE} characters, which the model writes anew after each block.`,
  learns: true,
  privileged: false,
  start: () => '',
  context: (note) => (note === '' ? '' : `${texts.note_heading}\n${note}`),
  question: (note, block) => [
    { role: 'system', content: fill(texts.note_system, { limit: LONGEST_NOTE }) },
    {
      role: 'user',
      content: fill(texts.note_user, {
        note: note === '' ? texts.note_empty : note,
        records: block.map(({ record }) => record).join('\n\n'),
      }),
    },
  ],
  describe: (note) => note,
  update: (note, _block, answer) => (answer === null ? note : cut(answer.trim())),
};

/** Cut without leaving half of a character behind. */
function cut(text: string): string {
  return text.slice(0, LONGEST_NOTE).replace(/[\uD800-\uDBFF]$/, '');
}
