/** The episodes of a run, by the cause of their failure, each with what was said in every step. */
import type { Reply } from '../../environments/chat.ts';
import { counted } from '../../text/numbers.ts';
import type { StepView } from '../comparisons/first-difference.ts';
import { explainFailure } from '../explain-failure.ts';
import { replyKind } from '../model.ts';
import type { Note, RunNotes } from '../notes.ts';
import type { RunEpisode } from '../run-data.ts';
import { type Html, html } from './markup.ts';

/** One section a cause, the most frequent first, what was solved last. */
export async function* episodeSections(
  episodes: readonly RunEpisode[],
  stepsOf: (episode: RunEpisode) => Promise<readonly StepView[] | null>,
  notes?: RunNotes,
): AsyncGenerator<Html> {
  const byCause = new Map<string, RunEpisode[]>();
  for (const episode of episodes) {
    const key = episode.cause ?? (episode.outcome?.correct === true ? solved : unexplained);
    const group = byCause.get(key);
    if (group === undefined) byCause.set(key, [episode]);
    else group.push(episode);
  }
  const rank = (key: string) => (key === solved ? 1 : 0);
  const groups = [...byCause].sort(
    ([a, x], [b, y]) => rank(a) - rank(b) || y.length - x.length || (a < b ? -1 : 1),
  );
  yield html`<h2>Episodes</h2>`;
  for (const [key, group] of groups) {
    yield html`<details><summary>${key}: ${counted(group.length, 'episode')}</summary>`;
    for (const episode of group) {
      yield episodeDetails(episode, await stepsOf(episode), notes?.episodes.get(episode.task));
    }
    yield html`</details>`;
  }
}

const solved = 'correct';
const unexplained = 'not explained';

/** What people wrote, as it is; nothing when they did not. */
export function noteBlock({ text, tags }: Note): Html {
  if (text === '' && tags.length === 0) return html``;
  const list = tags.length === 0 ? null : html`<p class="note">${`tags: ${tags.join(', ')}`}</p>`;
  return html`${list}${
    text === ''
      ? null
      : html`<pre>
${text}</pre>`
  }`;
}

function episodeDetails(episode: RunEpisode, told: readonly StepView[] | null, note: Note | undefined): Html {
  const { instanceId, rollout, outcome, error, causeStep, minSteps } = episode;
  const parts = [
    instanceId,
    ...(rollout > 0 ? [`rollout ${rollout + 1}`] : []),
    outcome === null ? 'no score' : `reward ${outcome.reward.toFixed(3)}, ${outcome.stop}`,
    `${episode.steps}${minSteps === null ? '' : ` of at least ${minSteps}`} steps`,
    ...(causeStep === null ? [] : [`seen at step ${causeStep}`]),
  ];
  const steps =
    told ??
    episode.events.flatMap((event) => (event.kind === 'reply' ? [{ reply: event, label: null }] : []));
  return html`<details><summary>${parts.join(' · ')}</summary>
${note === undefined ? null : noteBlock(note)}
${error === null ? null : html`<p class="warning">${explainFailure(error)}</p>`}
${steps.map(({ reply, label }, at) => stepDetails(reply, label, at + 1, at + 1 === causeStep))}
</details>`;
}

function stepDetails(reply: Reply, label: string | null, step: number, isDecisive: boolean): Html {
  const kind = replyKind(reply);
  const notes = [label ?? '', kind === 'reply' ? '' : kind, isDecisive ? 'decisive' : ''].filter(
    (it) => it !== '',
  );
  const calls = (reply.toolCalls ?? []).map(
    ({ name, arguments: given }) => html`<pre>
${name} ${given}</pre>`,
  );
  return html`<p class="note">${[`step ${step}`, ...notes].join(' · ')}</p>
${
  reply.reasoning === undefined
    ? null
    : html`<details><summary>reasoning</summary><pre>
${reply.reasoning}</pre></details>`
}
<pre>
${reply.text}</pre>${calls}
`;
}
