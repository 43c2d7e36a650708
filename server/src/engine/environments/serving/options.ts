/** How an episode is played. Nothing here decides which tasks there are. */
import { accept, type Checked, refuse } from '../../problem.ts';
import type { OptionField } from '../option-fields.ts';

export interface Options {
  /** Tool calls of an episode; finish is not counted. */
  readonly tool_calls: number;
  /** Replies of an episode. */
  readonly turns: number;
  /** Output tokens of an episode, as the endpoint counts them. */
  readonly output_tokens: number;
  /** Who judges pitches. */
  readonly judge: 'phrases' | 'model';
  /** What a method tells the agent. */
  readonly context: string;
}

export const defaultOptions: Options = {
  tool_calls: 50,
  turns: 100,
  output_tokens: 256_000,
  judge: 'phrases',
  context: '',
};

const numbers = { tool_calls: 1000, turns: 1000, output_tokens: 10_000_000 } as const;

export const optionFields: readonly OptionField[] = [
  {
    key: 'tool_calls',
    scope: 'episode',
    type: 'integer',
    description: 'Tool calls of an episode; finish is not counted.',
    default: '50',
    example: '20',
    min: 1,
    max: numbers.tool_calls,
  },
  {
    key: 'turns',
    scope: 'episode',
    type: 'integer',
    description: 'Replies of an episode.',
    default: '100',
    example: '40',
    min: 1,
    max: numbers.turns,
  },
  {
    key: 'output_tokens',
    scope: 'episode',
    type: 'integer',
    description: 'Tokens that a model may put out in an episode, as its endpoint counts them.',
    default: '256000',
    example: '64000',
    min: 1,
    max: numbers.output_tokens,
  },
  {
    key: 'judge',
    scope: 'episode',
    type: 'text',
    description: 'Who judges pitches: a list of phrases, or a model. Their scores are not comparable.',
    default: 'phrases',
    example: 'model',
    values: ['phrases', 'model'],
  },
  {
    key: 'context',
    scope: 'episode',
    type: 'text',
    description:
      'What a learning method tells the agent; stands in the prompt where it prints method_context.',
    default: 'empty',
    example: 'Orders to Florida are not exchanged.',
  },
];

/** Checks options from a file, a setting or the command line. */
export function parseOptions(raw: unknown): Checked<Options> {
  if (raw === undefined || raw === null) return accept(defaultOptions);
  if (typeof raw !== 'object' || Array.isArray(raw)) return refuse('options have to be a mapping');
  let options = defaultOptions;
  for (const [key, value] of Object.entries(raw)) {
    if (key === 'tool_calls' || key === 'turns' || key === 'output_tokens') {
      const most = numbers[key];
      if (!Number.isSafeInteger(value) || value < 1 || value > most) {
        return refuse(`${key} has to be a whole number from 1 to ${most}`);
      }
      options = { ...options, [key]: value };
    } else if (key === 'judge') {
      if (value !== 'phrases' && value !== 'model') return refuse('judge has to be "phrases" or "model"');
      options = { ...options, judge: value };
    } else if (key === 'context') {
      if (typeof value !== 'string') return refuse('context has to be a text');
      options = { ...options, context: value };
    } else {
      const known = optionFields.map((field) => field.key).join(', ');
      return refuse(`there is no option ${key}; there are ${known}`);
    }
  }
  return accept(options);
}
