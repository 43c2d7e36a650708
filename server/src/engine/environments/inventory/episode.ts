/** An episode as a fold: one reply for each chunk. Nothing but the last block of a reply goes on to the next turn. */
import { countTokens } from '../../text/tokens.ts';
import type { Event, Need } from '../chat.ts';
import type { Outcome } from '../environment.ts';
import { isTooLong, parseAnswer } from './answer.ts';
import { grade } from './grade.ts';
import type { Instance } from './instance.ts';
import { measure } from './metrics.ts';
import type { Options } from './options.ts';
import { isOver, type State } from './state.ts';

/** The state before the first turn: an empty inventory. */
export function start(instance: Instance, { answer_block }: Pick<Options, 'answer_block'>): State {
  return { instance, answerBlock: answer_block, carried: [], turns: [] };
}

/**
 * Folds one reply into the state. Without a complete block, or with more than can be carried, everything is lost.
 *
 * @throws RangeError when the episode is over, and for a verdict, since no judge is ever asked here: both are
 *   mistakes of the caller, never of an agent.
 */
export function advance(state: State, event: Event): State {
  if (isOver(state)) throw new RangeError('The episode is over: it takes no further event.');
  if (event.kind !== 'reply') throw new RangeError('An inventory episode takes replies only, no verdicts.');
  const { instance, answerBlock, carried, turns } = state;
  const listed = parseAnswer(event.text, answerBlock);
  const tooLong = listed !== null && isTooLong(listed);
  const reported = tooLong ? null : listed;
  const turn = { before: carried, reported, tooLong, tokens: countTokens(event.text) };
  return { instance, answerBlock, carried: reported ?? [], turns: [...turns, turn] };
}

const replyNeeded: Need = { kind: 'reply' };
const nothingNeeded: Need = { kind: 'nothing' };

/** A reply until every chunk has been answered. */
export function next(state: State): Need {
  return isOver(state) ? nothingNeeded : replyNeeded;
}

/** How the episode stands, with every metric. */
export function outcome(state: State): Outcome {
  const { instance, turns } = state;
  const done = isOver(state);
  const last = turns.at(-1);
  const reported = last?.reported ?? null;
  const { reward } = grade(reported, instance.truth);
  return {
    done,
    reward: done ? reward : 0,
    correct: done && reward > 0,
    stop: !done
      ? 'unfinished'
      : last?.tooLong
        ? 'answer-too-long'
        : reported === null
          ? 'no-answer'
          : 'answered',
    steps: turns.length,
    metrics: measure(state),
  };
}
