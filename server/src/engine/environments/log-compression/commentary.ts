/** What is said about a compressed log in a transcript: which lines are safe, which are lost, and what costs tokens for nothing. */
import { named, visible } from '../../text/visible.ts';
import type { Reply } from '../chat.ts';
import type { Commentary, Fix, Note } from '../commentary.ts';
import { lossPhrase, shortened } from './causes.ts';
import { distinctContents } from './fidelity.ts';
import { type Review, type ReviewedLine, reviewOf } from './review.ts';
import { scoreOf } from './scored.ts';
import { estimateTokens } from './scoring.ts';
import type { State } from './state.ts';

export const commentary: Commentary<State> = {
  gauge: ({ instance, candidate }) => ({
    used: candidate === null ? 0 : estimateTokens(candidate),
    limit: referenceTokens(instance),
    unit: 'tokens',
  }),
  label,
  describe: describeState,
  notes,
  bestReplies: ({ instance, candidate }) =>
    candidate === null ? [distinctContents(instance).join('\n')] : [],
};

/** What the reference compressor's output has: more than that is a loss. */
export function referenceTokens({ raw, reference_ratio }: State['instance']): number {
  return Math.round(reference_ratio * estimateTokens(raw));
}

function label(state: State): string {
  const { contents } = reviewOf(state) ?? { contents: [] };
  const kept = contents.filter(({ loss }) => loss === null).length;
  return `kept ${kept} of ${contents.length}, ratio ${scoreOf(state)?.ratio.toFixed(3) ?? '–'}`;
}

function describeState(state: State, privileged: boolean): string {
  const { instance } = state;
  const raw = estimateTokens(instance.raw);
  const score = scoreOf(state);
  const review = reviewOf(state);
  if (score === null || review === null) return `A log of ${raw} tokens, to be compressed in one reply.`;
  const gate = score.missing.length === 0 ? 'holds' : 'fails, so the reward is 0';
  const lines = [
    `**${score.candidateTokens} of ${raw} tokens**, ratio ${score.ratio.toFixed(3)}; the reference has ${instance.reference_ratio.toFixed(3)}`,
    `The gate ${gate}; the length alone scores ${score.score.toFixed(3)}.`,
  ];
  if (privileged) lines.push(contentList(review));
  return lines.join('\n\n');
}

/** The critical contents, one a line, lost ones with what became of them. */
function contentList({ contents }: Review): string {
  return contents
    .map(({ content, loss, at }) => {
      const fate = loss === null ? 'kept' : `lost: ${lossPhrase(loss, at === null ? null : at + 1)}`;
      return `- ${asCode(shortened(content))} ${fate}`;
    })
    .join('\n');
}

function asCode(text: string): string {
  const shown = named(text);
  return shown.includes('`') ? `\`\` ${shown} \`\`` : `\`${shown}\``;
}

/** At most so many notes of a kind: a reply can have thousands of lines. */
const mostNotes = 50;

function notes(_before: State, { text }: Reply, after: State): readonly Note[] {
  const review = reviewOf(after);
  if (review === null) return [];
  const found = [...lossNotes(review, text), ...lineNotes(review)];
  return found.sort((a, b) => a.start - b.start);
}

/** One note for each lost content: where a remnant stands, or over the whole reply. */
function lossNotes({ contents, lines }: Review, text: string): Note[] {
  const lost = contents.filter(({ loss }) => loss !== null).slice(0, mostNotes);
  return lost.flatMap(({ content, line, loss, at }) => {
    if (loss === null) return [];
    const place = at === null ? undefined : lines[at];
    const what = `"${visible(shortened(content))}", line ${line} of the log`;
    const message = `Lost: ${what}; ${lossPhrase(loss, at === null ? null : at + 1)}.`;
    const { start, end } = place ?? { start: 0, end: text.length };
    const fixes = place === undefined ? [appending(content, text)] : [replacing(content, place)];
    return [{ code: `log.${loss}`, severity: 'warning', message, start, end, privileged: true, fixes }];
  });
}

function appending(content: string, text: string): Fix {
  const feed = text === '' || text.endsWith('\n') ? '' : '\n';
  const replace = { start: text.length, end: text.length, text: `${feed}${content}` };
  return { title: 'Add the lost line', replace, privileged: true };
}

function replacing(content: string, { start, end }: ReviewedLine): Fix {
  return {
    title: 'Write the line as the log has it',
    replace: { start, end, text: content },
    privileged: true,
  };
}

/** Lines that cost tokens. That a line is none of the log's everybody can see; that it is not critical is privileged. */
function lineNotes({ lines }: Review): Note[] {
  const notes: Note[] = [];
  for (const { kind, start, end } of lines) {
    if (notes.length >= mostNotes) break;
    if (kind === 'invented') {
      const message = 'The log has no such line; it is allowed and costs tokens.';
      notes.push({ code: 'log.invented', severity: 'info', message, start, end });
    } else if (kind === 'repeat') {
      const message = 'A line above says this already; once is enough.';
      notes.push({ code: 'log.repeat', severity: 'info', message, start, end, privileged: true });
    } else if (kind === 'other') {
      const message = 'This line is not critical and costs tokens.';
      notes.push({ code: 'log.not-critical', severity: 'info', message, start, end, privileged: true });
    }
  }
  return notes;
}
