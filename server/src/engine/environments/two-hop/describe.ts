/** Instances and episodes for a person, as Markdown. */
import { named, visible } from '../../text/visible.ts';
import { FIGURES, grade } from './grade.ts';
import { hazardsOf } from './hazards.ts';
import type { Instance } from './instance.ts';
import { metrics, priorScore } from './metrics.ts';
import { outcome, type State } from './state.ts';

/** The whole page of an instance for somebody who may know everything, ending in a newline. */
export function describe(instance: Instance): string {
  const { id, split, domain, relation, row, system, question, person, bridge, answer, answers } = instance;
  return [
    `# ${named(id)}`,
    `**${visible(question)}**`,
    visible(`Instruction: ${system}`),
    visible(`Answer: \`${answer}\``),
    [
      `- condition ${split}, domain ${visible(domain)}, relation ${visible(relation)}, row ${row}`,
      `- first hop: ${named(person ?? 'somebody')} → ${bridge === null ? 'unknown' : named(bridge)}`,
      `- second hop: ${bridge === null ? 'unknown' : named(bridge)} → ${named(answer)}`,
      `- ${priorLine(instance)}`,
    ].join('\n'),
    '## Answers of the relation',
    answers.map((each) => `- ${named(each)}`).join('\n'),
    '## Hazards',
    hazardLines(instance),
    '',
  ].join('\n\n');
}

/** What one would say without knowing, and whether that is right here. */
export function priorLine(instance: Instance): string {
  const verdict = priorScore(instance) === 1 ? 'right here' : 'wrong here';
  return `most frequent answer of the relation: ${named(instance.prior)}, ${verdict}`;
}

function hazardLines(instance: Instance): string {
  const lines = hazardsOf(instance).map(({ code, description }) => `- \`${code}\`: ${description}`);
  return lines.length === 0 ? 'None.' : lines.join('\n');
}

/** How an episode stands. */
export function describeState(state: State, privileged: boolean): string {
  const { instance, answered } = state;
  const about = `${instance.split} · ${instance.domain} · ${instance.relation}`;
  const secret = privileged
    ? [
        `Bridge entity: ${instance.bridge === null ? 'unknown' : named(instance.bridge)}. Answer: ${named(instance.answer)}.`,
        `The ${priorLine(instance)}.`,
        ...hazardsOf(instance).map(({ description }) => `Mind: ${description}`),
      ]
    : [];
  const score = answered === null ? ['No reply yet.'] : [scoreLine(state)];
  return [about, ...score, ...secret].join('\n\n');
}

function scoreLine(state: State): string {
  const figures = scoring(state).map(({ label, value }) => `${label} ${value}`);
  return `Reward ${Number(outcome(state).reward.toFixed(4))}: ${figures.join(', ')}.`;
}

/** Every figure of the reply with its label; a dash where it does not apply. */
export function scoring({ answered, instance }: State): readonly { label: string; value: string }[] {
  const figures = answered?.grade ?? grade(instance, '');
  return FIGURES.map((id) => {
    const figure = figures[id];
    const label = metrics.find((metric) => metric.id === id)?.label ?? id;
    return { label, value: figure === null || figure === -1 ? '–' : String(figure) };
  });
}
