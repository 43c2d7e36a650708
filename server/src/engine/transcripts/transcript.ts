/**
 * Transcripts (`*.episode`): the events of one episode as text.
 *
 *     ---
 *     format: 1
 *     environment: my-environment
 *     instance: id_test-v1-7
 *     outcome: { reward: 0.95, correct: true, stop: answered, steps: 6 }
 *     ---
 *
 *     === step 1
 *     THOUGHT: the anchor is a project.
 *     ACTION: READ 12
 *
 *     === step 2 finish=length input=812 output=120
 *     ACTION: COMPRESS 12 :: the lead of
 *     === reasoning
 *     I should keep the value.
 *
 *     === verdict lexicon
 *     { "mentioned": [1, 4] }
 *
 * A block begins with a marker line, `=== ` and a word:
 *
 * - `step N`: a reply, with its text below. It may carry `finish=`, the tokens `input= output= cached=
 *   reasoning=`, and `calls=none` when the reply had an empty list of tool calls.
 * - `reasoning`: what the model thought, after the text of its step.
 * - `call NAME id=ID`: a tool call of the step, with its raw arguments below.
 * - `verdict JUDGE`: what a judge decided, as JSON.
 *
 * A text is written as it is, without what an editor might change when it saves: blank lines around it and
 * white space at the end of a line do not count. A text for which that is not good enough, because it has such
 * white space or line ends other than LF, control characters, halves of surrogate pairs or lines like our
 * markers, has the word `escaped` at the end of its marker and is written as JSON strings, one for each line.
 */
import type { Event } from '../environments/chat.ts';
import type { Outcome } from '../environments/environment.ts';
import type { Field } from '../prompts/fields.ts';
import type { FrontMatter } from '../prompts/front-matter.ts';
import { type Sampling, samplingFields } from '../prompts/sampling.ts';
import type { Range } from '../prompts/template.ts';

/** The outcome that was recorded when the episode was played; replaying tells whether it still holds. */
export type RecordedOutcome = Partial<Pick<Outcome, 'reward' | 'correct' | 'stop' | 'steps' | 'metrics'>>;

export interface Transcript {
  /** Empty, as {@link instance}, when the file does not say. */
  readonly environment: string;
  /** Id of the instance. */
  readonly instance: string;
  readonly instanceHash: string | null;
  /** Where a generated instance comes from. */
  readonly split: string | null;
  readonly index: number | null;
  /** A JSONL file that holds the instance, relative to the transcript. */
  readonly instances: string | null;
  readonly options: Readonly<Record<string, unknown>>;
  /** The step prompt file, relative to the transcript. */
  readonly prompt: string | null;
  readonly promptHash: string | null;
  readonly model: string | null;
  /** The scripted agent, if it was one. */
  readonly policy: string | null;
  readonly sampling: Sampling;
  readonly outcome: RecordedOutcome | null;
  readonly events: readonly Event[];
}

/** A text under a marker line. */
export interface TextPart {
  /** The marker line without its line break. */
  readonly marker: Range;
  /** From the first line that counts to the end of the last one; empty, after the marker, when there is none. */
  readonly content: Range;
  /** Whether the content is JSON strings. */
  readonly escaped: boolean;
}

/** Where an event stands: from its marker line to the next event's, or to the end of the file. */
export interface EventBlock extends Range {
  readonly kind: 'step' | 'verdict';
  /** Of a step its reply, of a verdict its JSON. */
  readonly text: TextPart;
  readonly reasoning: TextPart | null;
  readonly calls: readonly TextPart[];
}

/** The places of a transcript's parts in its file. */
export interface TranscriptLayout {
  readonly frontMatter: FrontMatter | null;
  /** One for each event. */
  readonly blocks: readonly EventBlock[];
}

/** What may stand in the front matter. */
export const transcriptFields: readonly Field[] = [
  {
    key: 'format',
    type: 'integer',
    required: true,
    min: 1,
    max: 1,
    example: '1',
    description: 'Version of the file format.',
  },
  {
    key: 'environment',
    type: 'text',
    required: true,
    example: 'my-environment',
    description: 'The environment that was played.',
  },
  {
    key: 'instance',
    type: 'text',
    required: true,
    example: 'id_test-v1-7',
    description: 'Id of the instance.',
  },
  {
    key: 'instance_hash',
    type: 'text',
    example: '"sha256:…"',
    description: 'Hash of the instance, to notice when it is another one by the same id.',
  },
  {
    key: 'split',
    type: 'text',
    example: 'id_test',
    description: 'The split a generated instance belongs to.',
  },
  { key: 'index', type: 'integer', min: 0, example: '7', description: 'Its number in the split, from 0.' },
  {
    key: 'instances',
    type: 'text',
    example: 'instances.jsonl',
    description: 'A file that holds the instance, relative to this one, for instances made elsewhere.',
  },
  {
    key: 'options',
    type: 'mapping',
    example: '{}',
    description: 'Options of the environment.',
  },
  {
    key: 'prompt',
    type: 'text',
    example: 'prompts/mine.step.md',
    description: 'The step prompt, relative to this file.',
  },
  {
    key: 'prompt_hash',
    type: 'text',
    example: '"sha256:…"',
    description: 'Hash of the step prompt as it was then.',
  },
  { key: 'model', type: 'text', example: 'gpt-5-mini', description: 'The model that replied.' },
  { key: 'policy', type: 'text', example: 'oracle', description: 'The scripted agent that replied.' },
  {
    key: 'sampling',
    type: 'mapping',
    fields: samplingFields,
    example: '{ temperature: 0.8 }',
    description: 'How the model was asked.',
  },
  {
    key: 'outcome',
    type: 'mapping',
    example: '{ reward: 0.95, correct: true, stop: answered, steps: 6 }',
    description: 'How the episode ended when it was played.',
    fields: [
      { key: 'reward', type: 'number', example: '0.95', description: 'Reward of the episode.' },
      { key: 'correct', type: 'boolean', example: 'true', description: 'Whether it counts as solved.' },
      { key: 'stop', type: 'text', example: 'answered', description: 'Why it ended.' },
      { key: 'steps', type: 'integer', min: 0, example: '6', description: 'Steps used.' },
      {
        key: 'metrics',
        type: 'mapping',
        example: '{ n_reads: 3 }',
        description: 'Named numbers, null for none.',
      },
    ],
  },
];
