/** Shows the records of the earlier tasks that resemble a task most. */
import protocol from '../../../../../../prompts/serving/protocol.json' with { type: 'json' };
import type { Experience, Method } from '../../streams.ts';
import { fill } from '../fill.ts';
import { general } from '../record.ts';
import { type Index, indexOf, type Terms, termsOf } from './bm25.ts';

const SHOWN = 8;
const LONGEST_RECORD = 100_000;

const terms = new WeakMap<Experience, Terms>();
const indices = new WeakMap<readonly Experience[], Index>();

function termsFor(experience: Experience): Terms {
  const known = terms.get(experience);
  if (known !== undefined) return known;
  const made = termsOf(experience.record);
  terms.set(experience, made);
  return made;
}

function indexFor(memory: readonly Experience[]): Index {
  const known = indices.get(memory);
  if (known !== undefined) return known;
  const made = indexOf(memory.map(termsFor));
  indices.set(memory, made);
  return made;
}

/** The records that a task would be shown, best first. */
function retrieve(
  memory: readonly Experience[],
  instruction: string,
): readonly { readonly experience: Experience; readonly score: number }[] {
  return indexFor(memory)
    .search(instruction, SHOWN)
    .flatMap(({ at, score }) => {
      const experience = memory[at];
      return experience === undefined ? [] : [{ experience, score }];
    });
}

export const rag: Method<readonly Experience[]> = {
  id: 'rag',
  description: `Shows the ${SHOWN} records of earlier tasks that resemble the task most, by BM25.`,
  learns: true,
  privileged: false,
  start: () => [],
  context(memory, { instruction }) {
    const found = retrieve(memory, instruction);
    if (found.length === 0) return '';
    const records = found.map(({ experience, score }, at) =>
      fill(protocol.methods.rag_record, {
        rank: at + 1,
        position: experience.timestamp,
        score: score.toFixed(2),
        record: experience.record.slice(0, LONGEST_RECORD),
      }),
    );
    return [protocol.methods.rag_heading, ...records].join('\n\n');
  },
  traits(memory, { instruction }) {
    const found = retrieve(memory, instruction);
    const positions = found.map(({ experience }) => experience.timestamp);
    return { n_retrieved: found.length, retrieved_timestamps: positions };
  },
  describe: (memory) =>
    memory
      .map(({ timestamp, reward }) => `the episode at ${timestamp}, score ${general(reward * 100)}`)
      .join('\n'),
  update: (memory, block) => [...memory, ...block],
};
