/** Runs that are held against each other. Works in a thread of its own, apart from the one that shows runs. */
import type { Event } from '../../engine/environments/chat.ts';
import { type Comparison, compareRuns } from '../../engine/evals/comparisons/compare.ts';
import {
  type FirstDifference,
  firstDifference,
  firstWording,
} from '../../engine/evals/comparisons/first-difference.ts';
import type { FlipKind, FlipPage } from '../../engine/evals/panel/answers.ts';
import {
  type ComparisonView,
  comparisonView,
  flipRow,
  type Parting,
  partingOf,
} from '../../engine/evals/panel/comparison.ts';
import { runFacts } from '../../engine/evals/panel/facts.ts';
import { bounded } from '../../engine/evals/panel/portions.ts';
import type { Run } from '../../engine/evals/run-data.ts';
import { Failure } from '../failure.ts';
import { openPlayer, type Player } from './loaded.ts';
import type { Panels } from './panels.ts';
import type { RunSession } from './session.ts';

/** Two runs by their paths, the one to compare with first. */
export interface RunPair {
  readonly a: string;
  readonly b: string;
}

interface Compared {
  readonly comparison: Comparison;
  readonly a: RunSession;
  readonly b: RunSession;
  readonly player: Player | null;
}

const mostBytes = 100_000;
const mostKept = 8;

export class Comparisons {
  readonly #panels: Panels;
  readonly #known = new Map<string, Promise<Compared>>();

  constructor(panels: Panels) {
    this.#panels = panels;
  }

  /** Reads both runs anew. @throws Failure when they cannot be compared. */
  async compare(pair: RunPair): Promise<ComparisonView> {
    await this.#panels.refresh({ run: pair.a });
    await this.#panels.refresh({ run: pair.b });
    const key = keyOf(pair);
    const comparing = this.#compare(pair);
    this.#known.set(key, comparing);
    comparing.catch(() => this.#known.delete(key));
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKept && oldest !== undefined) this.#known.delete(oldest);
    const { comparison, a, b } = await comparing;
    const facts = ({ reader, environment }: RunSession) => runFacts(reader.info, environment);
    return comparisonView(comparison, facts(a), facts(b));
  }

  async flips(asked: RunPair & { readonly kind: FlipKind; readonly from: number }): Promise<FlipPage> {
    const { comparison } = await this.#get(asked);
    const all = comparison[asked.kind];
    const flips = bounded(all.slice(asked.from, asked.from + 100).map(flipRow), mostBytes);
    const next = asked.from + flips.length;
    return { flips, next: next < all.length ? next : null };
  }

  /** Where the two episodes of a flip part. */
  async parting(asked: RunPair & { readonly kind: FlipKind; readonly at: number }): Promise<Parting> {
    const { comparison, a, b, player } = await this.#get(asked);
    const flip = comparison[asked.kind][asked.at];
    if (flip === undefined)
      throw new Failure('request', 'There is no such instance in the comparison any more.');
    const [mine, theirs] = [a.episode(flip.a.task), b.episode(flip.b.task)];
    const [left, right] = [await a.reader.said(flip.a.task), await b.reader.said(flip.b.task)];
    const played = (await player?.states(mine, left)) ?? null;
    if (player === null || played === null) return partingOf(wording(left.events, right.events), true);
    const { environment } = player;
    const course = (session: RunSession, events: readonly Event[]) => {
      const options = environment.parseOptions(session.reader.info.options);
      return options.ok ? { options: options.value, events } : null;
    };
    const courses = [course(a, left.events), course(b, right.events)] as const;
    if (courses[0] === null || courses[1] === null || mine.instanceId !== theirs.instanceId)
      return partingOf(wording(left.events, right.events), true);
    return partingOf(firstDifference(environment, played.instance, courses[0], courses[1]), false);
  }

  #get(pair: RunPair): Promise<Compared> {
    const known = this.#known.get(keyOf(pair));
    if (known !== undefined) return known;
    const comparing = this.#compare(pair);
    this.#known.set(keyOf(pair), comparing);
    comparing.catch(() => this.#known.delete(keyOf(pair)));
    return comparing;
  }

  async #compare(pair: RunPair): Promise<Compared> {
    const [a, b] = [await this.#panels.session(pair.a), await this.#panels.session(pair.b)];
    await a.whole();
    await b.whole();
    const compared = compareRuns(runOf(a), runOf(b));
    if (!compared.ok) throw new Failure('request', `The runs ${compared.error}.`);
    return { comparison: compared.value, a, b, player: await openPlayer(a) };
  }
}

function keyOf({ a, b }: RunPair): string {
  return `${a}\n${b}`;
}

function runOf({ reader }: RunSession): Run {
  return { info: reader.info, episodes: reader.episodes };
}

/** The first reply that is not the same, for episodes that cannot be played again. */
function wording(a: readonly Event[], b: readonly Event[]): FirstDifference | null {
  const step = firstWording(a, b);
  if (step === null) return null;
  const view = (events: readonly Event[]) => {
    const reply = events.filter((event) => event.kind === 'reply')[step - 1];
    return reply === undefined ? null : { reply, label: null };
  };
  return { step, a: view(a), b: view(b) };
}
