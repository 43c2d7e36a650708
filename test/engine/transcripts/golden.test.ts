/** Printed transcripts as golden text; `vitest -u` accepts new output. */
import { expect, it } from 'vitest';
import { reply } from '../../../server/src/engine/environments/chat.ts';
import { parseTranscript } from '../../../server/src/engine/transcripts/parse-transcript.ts';
import { printTranscript } from '../../../server/src/engine/transcripts/print-transcript.ts';
import type { Transcript } from '../../../server/src/engine/transcripts/transcript.ts';

const navigator: Transcript = {
  environment: 'navigator',
  instance: 'id_test-v1-7',
  instanceHash: 'sha256:9f2c',
  split: 'id_test',
  index: 7,
  instances: null,
  options: { context_ceiling: 700, max_summary_tokens: 90 },
  prompt: '../prompts/navigator/navigator.step.md',
  promptHash: null,
  model: 'gpt-5-mini',
  policy: null,
  sampling: { temperature: 0.8, top_p: 0.95, max_tokens: 512 },
  outcome: {
    reward: 0.95,
    correct: true,
    stop: 'answered',
    steps: 4,
    metrics: { steps_over_min: 0, n_compress: 1, n_invalid: 0, distractor_capture: null, fact_retention: 1 },
  },
  events: [
    reply('ACTION: READ 12'),
    reply('THOUGHT: the next hop is a person.\n\nACTION: COMPRESS 12 :: lead = Aino Berg'),
    reply('Some thinking first  \r\n=== step 9\n\u2028ACTION: READ 31\n'),
    reply('ACTION: ANSWER 40817'),
  ],
};

const serving: Transcript = {
  ...navigator,
  environment: 'serving',
  instance: 'retail_l1/test/7',
  instanceHash: null,
  split: null,
  index: null,
  options: {},
  prompt: null,
  policy: 'scripted: two words',
  model: null,
  sampling: {},
  outcome: null,
  events: [
    {
      kind: 'reply',
      text: '',
      reasoning: 'Look up the order first.',
      toolCalls: [{ id: 'call_1', name: 'get_order_details', arguments: '{"order_id": "#W1"}' }],
      finish: 'tool_calls',
      usage: { input: 812, output: 25, cachedInput: 700, reasoning: 12 },
    },
    { kind: 'reply', text: 'Done.', toolCalls: [], finish: 'stop', usage: { input: 900, output: 3 } },
    {
      kind: 'verdict',
      judge: 'a lexicon',
      value: { mentioned: [1, 4], invented: [], note: 'line\u2028break' },
    },
  ],
};

it.each([
  ['navigator', navigator],
  ['serving', serving],
])('%s', async (name, transcript) => {
  const file = printTranscript(transcript);
  await expect(file).toMatchFileSnapshot(`golden/${name}.episode`);
  const parsed = parseTranscript(file);
  expect(parsed.problems).toEqual([]);
  expect(parsed.transcript).toEqual(transcript);
});
