/** Episodes to learn from: those of an agent that reads every chunk, all of whose items stand in its prompts. */
import type { Reply } from '../chat.ts';
import type { Leak, Teacher } from '../teacher.ts';
import { parseAnswer } from './answer.ts';
import type { Instance } from './instance.ts';
import type { State } from './state.ts';

export const teacher: Teacher<Instance, State> = {
  policies: ['carrier'],
  maxStepsOverMin: 1,
  overview: [],
  leaks(_instance, _before, { text }: Reply, _after, prompt): readonly Leak[] {
    const shown = prompt.text.toLowerCase();
    const items = parseAnswer(text) ?? [];
    return items.filter((item) => !shown.includes(item)).map((item) => ({ kind: 'item', text: item }));
  },
};
