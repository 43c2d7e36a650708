/** How a model is asked for a reply: the part of front matter that step prompts and transcripts share. */
import type { Field, Values } from './fields.ts';

/** Keys as endpoints take them. What is absent is left to the endpoint. */
export interface Sampling {
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly min_p?: number;
  readonly presence_penalty?: number;
  readonly frequency_penalty?: number;
  /** In the model's own tokens. */
  readonly max_tokens?: number;
  readonly seed?: number;
  readonly stop?: readonly string[];
  readonly reasoning_effort?: string;
}

export const samplingFields: readonly Field[] = [
  {
    key: 'temperature',
    type: 'number',
    min: 0,
    max: 2,
    example: '0.8',
    description: 'Randomness of the reply: 0 takes the likeliest token, 1 samples as the model was trained.',
  },
  {
    key: 'top_p',
    type: 'number',
    min: 0,
    max: 1,
    example: '0.95',
    description: 'Samples only from the likeliest tokens that together have this probability.',
  },
  {
    key: 'top_k',
    type: 'integer',
    min: 1,
    example: '40',
    description: 'Samples only from so many of the likeliest tokens. Not every endpoint takes it.',
  },
  {
    key: 'min_p',
    type: 'number',
    min: 0,
    max: 1,
    example: '0.05',
    description:
      'Leaves out tokens less likely than this share of the likeliest. Not every endpoint takes it.',
  },
  {
    key: 'presence_penalty',
    type: 'number',
    min: -2,
    max: 2,
    example: '0',
    description: 'Above 0, tokens that have already occurred become less likely.',
  },
  {
    key: 'frequency_penalty',
    type: 'number',
    min: -2,
    max: 2,
    example: '0',
    description: 'Above 0, tokens become less likely the more often they have occurred.',
  },
  {
    key: 'max_tokens',
    type: 'integer',
    min: 1,
    example: '512',
    description: "Longest reply, in the model's own tokens, reasoning included; a longer one is cut off.",
  },
  {
    key: 'seed',
    type: 'integer',
    example: '1',
    description: 'Asks the endpoint for the same reply each time. Few endpoints promise it.',
  },
  {
    key: 'stop',
    type: 'texts',
    example: '["\\n\\n"]',
    description: 'A reply ends before the first of these texts.',
  },
  {
    key: 'reasoning_effort',
    type: 'text',
    values: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'],
    example: 'low',
    description: 'How long a reasoning model thinks before it replies.',
  },
];

/** The sampling among checked values; what was wrong in the file is absent. */
export function toSampling(values: Values): Sampling {
  const number = (key: keyof Sampling) => {
    const value = values[key];
    return typeof value === 'number' ? { [key]: value } : {};
  };
  const { stop, reasoning_effort } = values;
  return {
    ...number('temperature'),
    ...number('top_p'),
    ...number('top_k'),
    ...number('min_p'),
    ...number('presence_penalty'),
    ...number('frequency_penalty'),
    ...number('max_tokens'),
    ...number('seed'),
    ...(typeof stop === 'string' ? { stop: [stop] } : Array.isArray(stop) ? { stop } : {}),
    ...(typeof reasoning_effort === 'string' ? { reasoning_effort } : {}),
  };
}
