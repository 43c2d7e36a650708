/** What makes an oracle's episode fit to learn from: right, short, and nothing said that its prompt did not show. */
import type { Reply } from '../chat.ts';
import type { Leak, TaughtPrompt, Teacher } from '../teacher.ts';
import type { State } from './episode.ts';
import type { Instance } from './instance.ts';
import { teacherNoise } from './policies/index.ts';
import { oracle } from './policies/oracle.ts';
import { chunkRead } from './progress.ts';

/** A code or number as documents write them, e.g. `PJ-1234` or `4,885,866`: three characters or more from the first digit on. */
const valueLike = /(?:[A-Z]{2}-)?\d[\d,]+\d/g;

const names = new WeakMap<Instance, readonly string[]>();

function namesIn(instance: Instance): readonly string[] {
  const known = names.get(instance);
  if (known !== undefined) return known;
  const list = [...new Set(instance.chunks.flatMap((chunk) => chunk.entity_names))];
  names.set(instance, list);
  return list;
}

/**
 * Leaks of three kinds: `name`, an entity of the document that the prompt does not name; `value`, a code or number that it
 * does not hold; `read`, a successful READ of an evidence chunk whose entity only the map could have named.
 */
function leaks(
  instance: Instance,
  _before: State,
  { text }: Reply,
  after: State,
  prompt: TaughtPrompt,
): readonly Leak[] {
  const said = namesIn(instance).filter((name) => text.includes(name) && !prompt.text.includes(name));
  const values = (text.match(valueLike) ?? []).filter((value) => !prompt.text.includes(value));
  const chunk = chunkRead(after);
  const unfounded = instance.evidence.filter(
    (hop) => hop.chunk_idx === chunk && !prompt.withoutOverview.includes(hop.entity),
  );
  return [
    ...said.map((name) => ({ kind: 'name', text: name })),
    ...values.map((value) => ({ kind: 'value', text: value })),
    ...unfounded.map((hop) => ({ kind: 'read', text: hop.entity })),
  ];
}

export const teacher: Teacher<Instance, State> = {
  policies: [oracle().id, oracle(teacherNoise).id],
  maxStepsOverMin: 1.5,
  overview: ['map', 'map_text'],
  leaks,
};
