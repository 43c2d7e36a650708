import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from '../../../server/src/engine/evals/html/markup.ts';
import { type ReportContext, runReport } from '../../../server/src/engine/evals/html/run-report.ts';
import type { Run } from '../../../server/src/engine/evals/run-data.ts';
import { sketchRun } from '../../support/runs.ts';

const plain: ReportContext = { metrics: [], groupings: [], steps: async () => null, cost: null };

async function report(run: Run, context: Partial<ReportContext> = {}): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of runReport(run, { ...plain, ...context })) pieces.push(piece);
  return pieces.join('');
}

/** Tags of a page with their attributes, and the text between them with entities resolved. */
function parse(page: string): { readonly tags: readonly string[]; readonly text: string } {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  const tags = page.match(/<[^>]*>/g) ?? [];
  const text = page.replace(/<[^>]*>/g, '\n').replace(/&([^;]*);/g, (_, name) => entities[name] ?? '?');
  return { tags, text };
}

const hostile = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>&lt; \u2028</pre>]]>`;

describe('html', () => {
  it('keeps text from being markup, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { markup } = html`<p title="${text}">${[text]}</p>`;
        expect(markup.match(/[<>]/g)).toHaveLength(4);
        expect(markup.match(/"/g)).toHaveLength(2);
        expect(markup).not.toMatch(/\p{Cs}/u);
      }),
    );
  });

  it('prints numbers, markup and nothing', () => {
    expect(html`${1}|${null}|${[html`<b>${'&'}</b>`, 'x']}|${[]}`.markup).toBe('1||<b>&amp;</b>x|');
  });

  it('shows what cannot be shown as what it is', () => {
    expect(html`${'a\u0000b\ud800c\td\n'}`.markup).toBe('a\ufffdb\ufffdc\td\n');
  });
});

describe('runReport', () => {
  const run = sketchRun(
    [
      { instance: 'a', reward: 0.9, replies: ['READ 1', 'ANSWER x'] },
      { instance: 'b', reward: 0, cause: 'twin', replies: [hostile] },
      { instance: hostile, reward: null, hops: 3 },
    ],
    {
      prompt: { name: hostile, path: null, text: hostile, hash: 'sha256:1' },
      agent: {
        kind: 'model',
        model: hostile,
        baseUrl: 'http://secret.internal/v1',
        sampling: { temperature: 0.5 },
        extraBody: {},
      },
      requested: 5,
      suite: hostile,
    },
  );

  it('has nothing hostile in it and nothing that a browser would load or run', async () => {
    const { tags, text } = parse(await report(run));
    const names = new Set(tags.map((tag) => /^<[!/]?(\w+)/.exec(tag)?.[1] ?? tag));
    for (const name of ['script', 'img', 'link', 'iframe', 'form', 'a', 'svg'])
      expect(names).not.toContain(name);
    expect(tags.join()).not.toMatch(/ (on\w+|src|href|style)=/);
    expect(tags.join()).toContain(`default-src &#39;none&#39;; style-src &#39;sha256-`);
    expect(text).toContain(hostile);
  });

  it('opens and closes every tag', async () => {
    const open: string[] = [];
    for (const tag of parse(await report(run)).tags) {
      const [, slash, name = ''] = /^<(\/?)(\w+)/.exec(tag) ?? [];
      if (name === '' || name === 'meta') continue;
      if (slash === '/') expect(open.pop()).toBe(name);
      else open.push(name);
    }
    expect(open).toEqual([]);
  });

  it('says how many episodes every figure stands for', async () => {
    const { text } = parse(await report(run, { groupings: [{ id: 'n_hops', label: 'hops' }] }));
    const flat = text.replace(/\s+/g, ' ');
    expect(flat).toContain('5 episodes requested, 2 scored, 1 errored, 2 unfinished');
    expect(flat).toContain('2 hops 0.450 ± 0.450 0.500 ± 0.500 2 episodes requested, 2 scored');
    expect(flat).toContain('3 hops – – 1 episode requested, 0 scored, 1 errored');
    expect(flat).toContain('1 of 2, 95 % interval 0.095–0.905');
    expect(flat).toMatch(/provider-error 1/);
    expect(flat).toContain('overloaded. Try again later.');
  });

  it('tells the steps, and which one was decisive', async () => {
    const [, second] = run.episodes;
    const told = { ...run, episodes: second === undefined ? [] : [{ ...second, causeStep: 1 }] };
    const { text } = parse(
      await report(told, {
        steps: async ({ events }) =>
          events.flatMap((event) =>
            event.kind === 'reply'
              ? [{ reply: { ...event, reasoning: 'hm', finish: 'length' }, label: 'READ 7' }]
              : [],
          ),
      }),
    );
    expect(text).toContain('step 1 · READ 7 · truncated · decisive');
    expect(text).toContain('hm');
  });

  it('does not say where the endpoint is', async () => {
    expect(await report(run)).not.toContain('secret.internal');
  });

  it('gives the chances of several tries', async () => {
    const rollouts = [0, 1, 2, 3].map((rollout) => ({ instance: 'a', reward: rollout % 2, rollout }));
    const flat = parse(await report(sketchRun(rollouts))).text.replace(/\s+/g, ' ');
    expect(flat).toContain('pass@1 0.500 all 1: 0.500; 1 instance, reward from 0.5 on');
    expect(flat).toMatch(/pass@4 1.000 all 4: 0.000/);
    expect(flat).not.toContain('interval');
  });

  it('is a page even for a run without an episode', async () => {
    expect(await report(sketchRun([]))).toMatch(
      /^<!doctype html>[\s\S]*0 episodes requested[\s\S]*<\/html>\n$/,
    );
  });
});
