/** The step prompts that we ship: free of problems, playable, and as they were when somebody last read them. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reply } from '../../../server/src/engine/environments/chat.ts';
import { environments, findEnvironment } from '../../../server/src/engine/environments/registry.ts';
import { checkStepPrompt } from '../../../server/src/engine/prompts/check-prompt.ts';
import { preparePrompt, renderPrompt } from '../../../server/src/engine/prompts/render-prompt.ts';
import { parseStepPrompt } from '../../../server/src/engine/prompts/step-prompt.ts';
import { countTokens } from '../../../server/src/engine/text/tokens.ts';
import { readyEnvironments } from '../../support/environments.ts';
import { showProblems } from '../../support/problems.ts';

const folder = new URL('../../../prompts/', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.step.md'))
  .sort();
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');

describe.each(files)('%s', (name) => {
  const text = read(name);
  const { prompt, problems } = parseStepPrompt(text);
  const environment = readyEnvironments.find(({ id }) => id === prompt.environment);

  it('has no problems, and stands in the folder of its environment', () => {
    expect(showProblems(text, [...problems, ...checkStepPrompt(prompt, environments)])).toEqual([]);
    expect(name.startsWith(`${prompt.environment}/`)).toBe(true);
  });

  it('renders every step of a policy, the same compiled and traced', ({ skip }) => {
    // One that needs data which are not there.
    if (environment === undefined && findEnvironment(prompt.environment) !== undefined) skip();
    const options = environment?.parseOptions(prompt.options);
    if (environment === undefined || options?.ok !== true) throw new Error('no such environment');
    const generated = environment.generate(prompt.split ?? '', 0, options.value);
    if (!generated.ok) throw new Error(generated.error);
    const { instance } = generated.value;
    const policy = environment.policies[0];
    if (policy === undefined) throw new Error('no policy');
    const renderer = preparePrompt(prompt);
    const act = policy.begin(instance, 'seed');
    let state = environment.start(instance, options.value);
    for (let step = 0; environment.next(state).kind === 'reply'; step++) {
      const { messages, truncated } = renderer.render(environment.observe(state));
      expect(truncated).toBeNull();
      expect(messages.map(({ role }) => role)).toEqual(prompt.blocks.map(({ role }) => role));
      for (const { content } of messages) {
        expect(content).not.toMatch(/\{\{|\}\}|undefined|NaN|\[object|\n{3}| $/);
      }
      expect(renderer.trace(environment.observe(state)).messages.map(({ message }) => message)).toEqual(
        messages,
      );
      state = environment.advance(state, step === 0 ? reply('no action') : act(state));
    }
  });
});

/** A small observation with every case that the navigator's prompts distinguish; its document is invented. */
const seven = {
  id: '7',
  header: 'Project Register · Fig Tern – Fig Tern II',
  section: 'Project Register',
  tokens: 391,
};
const eight = {
  id: '8',
  header: 'Project Register · Oak Swift – Oak Wren',
  section: 'Project Register',
  tokens: 377,
};
const ordinary = {
  is_chunk: true,
  is_noise: false,
  count: 1,
  fits: false,
  held: false,
  read: false,
  dropped: false,
};
const noise = {
  ...ordinary,
  id: '9–11',
  header: 'Minutes',
  section: 'Minutes',
  is_chunk: false,
  is_noise: true,
  count: 3,
  mean: 388,
};

const start = {
  question: 'What is the badge number of the lead of project Fig Tern?',
  ceiling: 600,
  max_summary_tokens: 120,
  used: 0,
  free: 600,
  step: 1,
  steps_used: 0,
  step_budget: 14,
  steps_left: 14,
  is_last_step: false,
  map: [{ ...seven, ...ordinary, fits: true }, { ...eight, ...ordinary, fits: true }, noise],
  map_text: '  (lines of the map)',
  read_list: [],
  dropped_list: [],
  compressed_list: [],
  last_action: '',
  last_ok: false,
  last_error: '',
  ledger_text: '  (four lines)',
  held: [],
  held_text: '  (empty)',
  is_empty: true,
  can_abstain: false,
  abstain_token: 'unknown',
};

const later = {
  ...start,
  used: 389,
  free: 211,
  step: 14,
  steps_used: 13,
  steps_left: 1,
  is_last_step: true,
  map: [
    { ...seven, ...ordinary, read: true, dropped: true },
    { ...eight, ...ordinary, read: true, held: true },
    noise,
  ],
  read_list: [7, 8],
  dropped_list: [7],
  compressed_list: ['S1<-[7]'],
  last_action: 'READ 99',
  last_error: 'The document has no chunk 99.',
  held: [
    {
      id: 'S1',
      tokens: 12,
      text: 'Lead of project Fig Tern: {{question}}.',
      is_chunk: false,
      is_summary: true,
      sources: ['7'],
    },
    {
      id: '8',
      tokens: 377,
      text: 'Project Register · Oak Swift – Oak Wren\nuser:\nOak Swift — Lead: …',
      is_chunk: true,
      is_summary: false,
      sources: [],
    },
  ],
  held_text: '[S1] (12 tokens, from 7) …',
  is_empty: false,
  can_abstain: true,
};

describe('golden text', () => {
  const navigatorFiles = files.filter((name) => name.startsWith('navigator/'));
  it.each(
    navigatorFiles.flatMap((name) => [[name, 'start', start] as const, [name, 'last', later] as const]),
  )('%s, %s', async (name, when, observation) => {
    const { messages } = renderPrompt(parseStepPrompt(read(name)).prompt, observation);
    const shown = messages.map(({ role, content }) => `<<< ${role}\n${content}\n`).join('\n');
    const golden = name.replace('navigator/', '').replace('.step.md', `.${when}.txt`);
    await expect(shown).toMatchFileSnapshot(`golden/${golden}`);
  });
});

describe('the worked example', () => {
  const text = read('navigator/worked-example.step.md');

  it('counts its summary as the environment would', () => {
    const summary = /^ACTION: COMPRESS 5 :: (.*)$/m.exec(text)?.[1] ?? '';
    expect(text).toContain(`S1 is held, ${countTokens(summary)} tokens.`);
    expect(text).toContain(`S1 and chunk 33 are held, ${countTokens(summary) + 402} tokens.`);
  });

  it('has no name that a document of ours could have', () => {
    const navigator = findEnvironment('navigator');
    const options = navigator?.parseOptions({});
    if (navigator === undefined || options?.ok !== true) throw new Error('no navigator');
    for (let index = 0; index < 5; index++) {
      const generated = navigator.generate('train', index, options.value);
      const document = JSON.stringify(generated.ok ? generated.value.instance : '');
      for (const word of [
        'Tin Lantern',
        'Ladle',
        'Osgood',
        'Grindle',
        'Perpetua',
        'Quill',
        'Wick',
        'Thimble',
        'Kettle',
        'Pottery',
      ]) {
        expect(document).not.toMatch(new RegExp(`\\b${word}\\b`));
      }
    }
  });
});
