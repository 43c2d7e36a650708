/** The head of the page: which run it is, how far it is read, and its figures with what they stand for. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Estimate, PanelFigures, RunFacts, RunProgress } from '../../../server/src/protocol.ts';
import type { Actions } from './actions.ts';
import { counted, countsText, dateText, fixed, grouped, percent } from './format.ts';
import type { Model } from './model.ts';

export function headline({ facts, progress, figures }: Model, actions: Actions): TemplateResult {
  if (facts === null) return html`<p class="quiet" role="status">Opening the run…</p>`;
  return html`<header class="headline">
    <div class="title">
      <h1>${facts.title}</h1>
      <span class="sub">${subtitle(facts)}</span>
      ${progress === null ? nothing : state(progress)}
      <span class="space"></span>
      ${link('Compare…', () => actions.send({ kind: 'compare' }))}
      ${
        facts.format === 'hopscope' && (figures?.counts.scored ?? 0) > 0 && (figures?.causes.length ?? 0) > 0
          ? link('Run on failures…', () => actions.send({ kind: 'failures' }))
          : nothing
      }
      ${facts.hasPrompt ? link('Show prompt', () => actions.send({ kind: 'prompt' })) : nothing}
    </div>
    ${progress === null ? nothing : troubles(progress)}
    ${figures === null ? html`<p class="quiet" role="status">Summing up…</p>` : tiles(figures)}
  </header>`;
}

function link(name: string, act: () => void): TemplateResult {
  return html`<button type="button" class="link" @click=${act}>${name}</button>`;
}

function subtitle({ environment, label, isSuite, created, id, format }: RunFacts): string {
  const source = isSuite ? `suite ${label}` : label;
  return [
    environment,
    ...(source === environment ? [] : [source]),
    ...(created === null ? [] : [dateText(created)]),
    ...(format === 'stream' ? [] : [format === 'hopscope' ? `run ${id}` : `${id} (${format}.jsonl)`]),
  ].join(' · ');
}

function state({ isRunning, isComplete, scanned, size, episodes }: RunProgress): TemplateResult {
  const share = size === 0 ? 1 : scanned / size;
  return html`<span class="state" role="status">
    ${
      isRunning
        ? html`<span class="badge"><i class="codicon codicon-sync" aria-hidden="true"></i> Running</span>`
        : nothing
    }
    ${
      isComplete
        ? nothing
        : html`<progress max="1" .value=${share} aria-label="Reading the run"></progress>
            <span class="sub">${grouped(episodes)} read, ${Math.floor(share * 100)} %</span>`
    }
  </span>`;
}

function troubles({ badLines, failure }: RunProgress): TemplateResult | typeof nothing {
  if (badLines === 0 && failure === null) return nothing;
  return html`<p class="notice" role="status">
    ${failure ?? nothing}
    ${badLines > 0 ? `${counted(badLines, 'line')} could not be read and ${badLines === 1 ? 'is' : 'are'} left out.` : nothing}
  </p>`;
}

function tiles(figures: PanelFigures): TemplateResult {
  const { counts, reward, accuracy, stepWeightedReward, pass, tokens, requests } = figures;
  const of = countsText(counts);
  const solved = Math.round((accuracy.mean ?? 0) * accuracy.n);
  return html`<dl class="tiles">
    ${tile('Reward per episode', fixed(reward.mean), spread(reward, fixed), of, 'Mean over scored episodes, ± its standard error, and the 95 % interval.')}
    ${tile('Correct', percent(accuracy.mean), `${grouped(solved)} of ${grouped(accuracy.n)} ${spread(accuracy, percent)}`, of, 'Share of scored episodes that are correct, ± its standard error, and the 95 % interval.')}
    ${tile('Reward, weighted by steps', fixed(stepWeightedReward), 'long episodes weigh more', of, 'Mean over steps, each with the reward of its episode. Tools that take each step for a sample show this one.')}
    ${pass.map(({ k, some, all }) =>
      tile(
        `pass@${k}`,
        percent(some),
        `pass_all@${k} ${percent(all)}`,
        `${counted(figures.passInstances, 'instance')} with all ${figures.rollouts} rollouts scored`,
        `Chance that one of ${k} rollouts, and that all of them, reach a reward of ${figures.passThreshold}: unbiased estimates.`,
      ),
    )}
    ${
      tokens === null
        ? nothing
        : tile(
            'Tokens',
            grouped(tokens.input + tokens.output),
            `${grouped(tokens.input)} in, ${grouped(tokens.output)} out`,
            counted(requests, 'request'),
            'As the endpoint counted them; failed requests are among the requests.',
          )
    }
  </dl>`;
}

function spread({ error, interval }: Estimate, text: (value: number) => string): string {
  if (error === null) return '';
  const range = interval === null ? '' : ` [${text(interval[0])}, ${text(interval[1])}]`;
  return `± ${text(error)}${range}`;
}

function tile(name: string, value: string, more: string, of: string, meaning: string): TemplateResult {
  return html`<div class="tile" title=${meaning}>
    <dt>${name}</dt>
    <dd><span class="value">${value}</span> <span class="more">${more}</span></dd>
    <dd class="of">${of}</dd>
  </div>`;
}
