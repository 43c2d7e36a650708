/**
 * An environment small enough to follow by eye, with what the navigator does not have: a dialogue, tools, few members.
 * The agent counts up to the instance's index plus two. Its one policy says 1, 2, 3, …
 */
import { reply } from '../../server/src/engine/environments/chat.ts';
import type { AnyInstance, Environment } from '../../server/src/engine/environments/environment.ts';
import { accept, refuse } from '../../server/src/engine/problem.ts';

interface Instance extends AnyInstance {
  readonly goal: number;
}

interface State {
  readonly goal: number;
  readonly said: readonly string[];
}

interface Options {
  readonly size?: number;
}

export const tiny: Environment<Instance, Options, State> = {
  id: 'tiny',
  title: 'Tiny',
  description: 'Count up to a number.',
  generatorVersion: 1,
  splits: [
    { id: 'held_out', size: 3, test: true, description: 'held out' },
    { id: 'practice', size: 5, test: false, description: 'to iterate on' },
  ],
  metrics: [],
  variables: [
    { name: 'goal', type: 'number', required: true, description: 'Where to stop.', example: '2' },
    {
      name: 'said',
      type: 'list',
      description: 'What was said.',
      example: '2 items',
      items: [
        { name: 'text', type: 'text', description: 'The words.', example: '1' },
        { name: 'last', type: 'boolean', description: 'It is the last.', example: 'true' },
      ],
    },
    { name: 'words', type: 'list', description: 'The same as texts.', example: '1, 2' },
    { name: 'is_first', type: 'boolean', description: 'Nothing was said.', example: 'true' },
    { name: 'last_number', type: 'text', description: 'The answer.', example: '2', privileged: true },
  ],
  policies: [
    {
      id: 'counter',
      description: 'counts',
      privileged: false,
      begin: () => (state) => reply(String(state.said.length + 1)),
    },
    { id: 'mute', description: 'says nothing', privileged: false, begin: () => () => reply('') },
  ],
  optionFields: [
    { key: 'size', type: 'integer', min: 1, max: 9, example: '3', description: 'How much more to count.' },
    { key: 'loud', type: 'boolean', example: 'true', description: 'Whether to shout.' },
  ],
  parseOptions(raw) {
    const entries = Object.entries(typeof raw === 'object' && raw !== null ? raw : {});
    for (const [key, value] of entries) {
      if (key === 'size' && !(Number.isInteger(value) && value >= 1 && value <= 9)) {
        return refuse('size must be a whole number from 1 to 9');
      }
      if (key !== 'size' && key !== 'loud') return refuse(`tiny has no option ${key}`);
    }
    if (entries.length === 2) return refuse('size and loud do not go together');
    const [size] = entries.flatMap(([key, value]) => (key === 'size' ? [Number(value)] : []));
    return accept(size === undefined ? {} : { size });
  },
  generate(split, index, { size = 2 }) {
    if (index > 100) return refuse('there are 100');
    const instance = { id: `tiny-${split}-${index}`, split, goal: index + size };
    return accept({ instance, attempts: 1, reasons: {} });
  },
  parseInstance: () => refuse('not from files'),
  validate: () => [],
  minSteps: ({ goal }) => goal,
  start: ({ goal }) => ({ goal, said: [] }),
  observe: ({ goal, said }) => ({
    goal,
    said: said.map((text, at) => ({ text, last: at === said.length - 1 })),
    words: said,
    is_first: said.length === 0,
    last_number: String(goal),
  }),
  conversation: ({ said }) => {
    const last = said.at(-1);
    return last === undefined ? [] : [{ role: 'assistant', content: last }];
  },
  advance: (state, event) => ({
    ...state,
    said: [...state.said, event.kind === 'reply' ? event.text : ''],
  }),
  next: ({ goal, said }) =>
    said.length < goal
      ? { kind: 'reply', tools: [{ name: 'say', description: 'Says it.', parameters: { type: 'object' } }] }
      : { kind: 'nothing' },
  outcome: ({ goal, said }) => ({
    done: said.length >= goal,
    reward: 0,
    correct: false,
    stop: 'counted',
    steps: said.length,
    metrics: {},
  }),
  secrets: ({ goal }) => [{ text: `goal-${goal}`, kind: 'answer' }],
};
