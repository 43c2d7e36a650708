/**
 * The contract that every environment fulfils and that editor, runner and panels are written against.
 *
 * An episode is a fold: `start` gives the first state, `advance` folds one event into it, and everything else
 * reads a state. States are plain immutable data and are never written to disk; events are, and folding them
 * again gives the states back. Stepping, forking, replaying, resuming and checking a transcript while it is
 * typed are this one function called from different places.
 *
 *     const options = environment.parseOptions({});
 *     const { instance } = environment.generate('train', 0, options.value);
 *     let state = environment.start(instance, options.value);
 *     while (environment.next(state).kind === 'reply') {
 *       const prompt = render(stepPrompt, environment.observe(state));
 *       state = environment.advance(state, await model(prompt));
 *     }
 *     report(environment.outcome(state));
 *
 * Nothing here does I/O, reads a clock or throws on text that came from a user or a model.
 */
import type { Checked, Problem } from '../problem.ts';
import type { ChatMessage, Event, Need, Reply } from './chat.ts';
import type { Commentary, Explanation } from './commentary.ts';
import type { ComparedTexts } from './compared-texts.ts';
import type { DataNeed } from './data-set.ts';
import type { InstanceLinks } from './links.ts';
import type { OptionField } from './option-fields.ts';
import type { Panel } from './panel.ts';
import type { Probes } from './probes.ts';
import type { Secret } from './secrets.ts';
import type { Streams } from './streams.ts';
import type { Teacher } from './teacher.ts';
import type { Variable } from './variables.ts';
import type { InstanceText } from './view.ts';

/** A named set of instances. `size` is the published one; unless it is finite, higher indices give fresh instances. */
export interface Split {
  readonly id: string;
  readonly size: number;
  /** There are no instances but those, as with published data. */
  readonly finite?: boolean;
  /** Test splits get a warning when somebody iterates on them. */
  readonly test: boolean;
  readonly description: string;
}

/** What every instance has, whatever its environment. */
export interface AnyInstance {
  /** Unique over environments, generators and versions. */
  readonly id: string;
  readonly split: string;
}

/** How an episode stands. `reward` is 0 until the episode ends. */
export interface Outcome {
  readonly done: boolean;
  readonly reward: number;
  /** True exactly when the environment counts the episode as solved. */
  readonly correct: boolean;
  /** Why it ended, e.g. `answered`, `ceiling-exceeded`, `budget-exhausted`; `unfinished` while it goes on. */
  readonly stop: string;
  readonly steps: number;
  /** Named numbers; null means "does not apply here" and is left out of every mean. */
  readonly metrics: Readonly<Record<string, number | null>>;
}

/** A generated instance, or why no attempt was accepted. Reasons count rejected attempts by code. */
export interface Generated<I> {
  readonly instance: I;
  readonly attempts: number;
  readonly reasons: Readonly<Record<string, number>>;
}

/**
 * Asked for every reply of one episode, in order. Written as a method's type because those compare their parameters
 * both ways, which lets a registry hold environments of different state types side by side.
 */
export type Player<S> = { reply(state: S): Reply }['reply'];

/** A scripted agent: needs no model, is deterministic in its seed. */
export interface Policy<I, S> {
  readonly id: string;
  readonly description: string;
  /** True when it may look at what the agent must not know (evidence, answer). */
  readonly privileged: boolean;
  /** Starts one episode. */
  begin(instance: I, seed: string): Player<S>;
}

/** One numeric column of a result table. */
export interface Metric {
  readonly id: string;
  readonly label: string;
  /** Meaning, unit and range in one sentence. */
  readonly description: string;
  readonly better: 'higher' | 'lower' | 'neither';
  /** Shown in the one-row-per-policy table; the others only in machine output and panels. */
  readonly headline?: boolean;
}

/** A way to break results down, e.g. by the number of hops. Groups are printed in numeric or text order. */
export interface Grouping<I> {
  /** As in machine output, e.g. `n_hops`. */
  readonly id: string;
  /** As in tables, e.g. `hops`. */
  readonly label: string;
  of(instance: I): string | number;
}

/** What can be scored without playing an episode: how far a shortcut gets. */
export interface Baseline<I> {
  readonly id: string;
  readonly label: string;
  /** What is known, what is guessed, in one sentence. */
  readonly description: string;
  /** From 0 to 1 (a probability where the baseline is an expectation). Deterministic in `seed`. */
  score(instance: I, seed: string): number;
}

/** A code that validation gives, or for which an attempt at generating is rejected. */
export interface Reason {
  /** Without the detail that may follow it after a colon. */
  readonly code: string;
  /** What is wrong, in one sentence. */
  readonly description: string;
}

/** One figure of a population audit. */
export interface AuditFigure {
  /** Which chunks were compared, e.g. `answer_within_section`. */
  readonly pool: string;
  readonly feature: string;
  /** Area under the ROC curve: 0.5 when the feature tells nothing. */
  readonly auc: number;
  /** Whether the gate looks at this figure at all. */
  readonly gated: boolean;
  readonly violated: boolean;
}

export interface AuditReport {
  readonly passed: boolean;
  /** A gated figure further than this from 0.5 is a violation. */
  readonly tolerance: number;
  readonly rows: number;
  readonly figures: readonly AuditFigure[];
}

/** Looks over many instances for surface features that give the answer away. */
export interface PopulationAudit<I> {
  /** Below this many instances a violation may well be chance. */
  readonly minimum: number;
  /** What the audit keeps of one instance: small plain JSON, so that it can cross threads. */
  rows(instance: I): readonly unknown[];
  /** @param rows of every instance, in order, as {@link PopulationAudit.rows} gave them. */
  report(rows: readonly unknown[]): AuditReport;
}

/** An episode as flat JSON rows, in the shape in which the environment's own logs are published. */
export interface EpisodeRecords<S> {
  /** What the last step did. Only for states after at least one event. */
  step(state: S): Readonly<Record<string, unknown>>;
  /** How the episode stands. */
  final(state: S): Readonly<Record<string, unknown>>;
}

/** Where a generated instance comes from: what `generate` is to be called with. */
export interface InstanceOrigin {
  readonly split: string;
  readonly index: number;
  /** Generation options only, as plain JSON; empty for the split's own. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** What is known of a generated instance without making it, so that thousands can be listed. */
export interface Listing {
  readonly id: string;
  /** By {@link Grouping.id}. */
  readonly groups: Readonly<Record<string, string | number>>;
}

export interface Environment<I extends AnyInstance = AnyInstance, O = unknown, S = unknown> {
  /** As in step prompt files: lower-case letters, digits and hyphens. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Raised whenever the same split and index would give other bytes. Part of every run's identity. */
  readonly generatorVersion: number;
  readonly splits: readonly Split[];
  readonly metrics: readonly Metric[];
  /** What a step prompt may use. */
  readonly variables: readonly Variable[];
  readonly policies: readonly Policy<I, S>[];

  /** Checks options from a file, a setting or the command line; the error names the key and the legal range. */
  parseOptions(raw: unknown): Checked<O>;
  /**
   * The instance at `index` of `split`: a pure function of its arguments and the generator version.
   *
   * @param attempts after which it gives up, for whoever cannot wait; the environment's own limit when absent
   */
  generate(split: string, index: number, options: O, attempts?: number): Checked<Generated<I>>;
  /** Checks an instance read from a file; the error names the field, after "is no instance: ". */
  parseInstance(raw: unknown): Checked<I>;
  /**
   * Reason codes in the order of the checks; empty when the instance is sound. An environment that grades replies grades
   * some here, so that the right one is known to win and wrong ones not to.
   */
  validate(instance: I, options: O): readonly string[];
  /** Steps of the shortest correct episode. */
  minSteps(instance: I): number;

  start(instance: I, options: O): S;
  /** The data that a step prompt renders. Values may be computed when first read. */
  observe(state: S): Readonly<Record<string, unknown>>;
  /** Messages that follow the rendered prompt: empty for stateless environments, the dialogue for tool agents. */
  conversation(state: S): readonly ChatMessage[];
  /** @throws RangeError when the episode is over: a caller's mistake, never an agent's. */
  advance(state: S, event: Event): S;
  next(state: S): Need;
  outcome(state: S): Outcome;

  /**
   * What it measures and what it does not, and what a reader of its scores must know: Markdown below headings of the third
   * level, for the documentation page.
   */
  readonly guide?: string;
  /**
   * Files from outside without which no instance can be made or listed. Instances that are there are played, scored and
   * shown without them.
   */
  readonly data?: DataNeed<Environment<I, O, S>>;
  /** How many instances a split has under these options, where options leave some out or ask for more. */
  sizeOf?(split: string, options: O): number;
  /** What the codes of {@link Environment.validate} and {@link Generated.reasons} mean. */
  readonly reasons?: readonly Reason[];
  /**
   * What a reader of figures over episodes on this instance under these options must know, as a sentence without its full
   * stop; null for nothing. It is to be the same for many instances.
   */
  remark?(instance: I, options: O): string | null;
  /** What can be set, for completion and documentation; nothing is described when absent. */
  readonly optionFields?: readonly OptionField[];
  /**
   * A conversation that no longer fits the model ends the episode with a score: `advance` is given an empty reply with the
   * finish `context`. Otherwise it is a failure, which another model may not have.
   */
  readonly scoresOverflow?: boolean;
  /** What a step prompt must not spell out, for a warning while it is written. */
  secrets?(instance: I): readonly Secret[];
  /** The size of a text in the unit of the environment's own limits, for what the editor says of a prompt's size. */
  countTokens?(text: string): number;
  /**
   * Which generator made the instance, in words, e.g. `hopscope 1`. Instances of different origin are not drawn from
   * the same distribution, so no figure is ever taken over more than one.
   */
  origin?(instance: I): string;
  /** How tables break results down; none when absent. */
  readonly groupings?: readonly Grouping<I>[];
  /** For `hopscope replay`. */
  readonly records?: EpisodeRecords<S>;
  /** For `hopscope baselines`. */
  readonly baselines?: readonly Baseline<I>[];
  /** For `hopscope audit` and the end of `hopscope generate`. */
  readonly audit?: PopulationAudit<I>;
  /** The instance for a person who may know everything, as Markdown. For `hopscope inspect`. */
  describe?(instance: I): string;
  /** The instance as the editor opens it, with the positions of its parts and without what the agent must not know. */
  view?(instance: I): InstanceText;
  /** What that text speaks of and what a player must not know of it. `view` is of the same instance. */
  links?(instance: I, view: InstanceText): InstanceLinks;
  /** What is malformed in the reply `text[start, end)` (all of it by default), whatever the state; in text order. */
  replyProblems?(text: string, start?: number, end?: number): readonly Problem[];
  /** The instance at `index` of `split` as a list shows it. Must cost next to nothing; errors as of `generate`. */
  listing?(split: string, index: number, options: O): Checked<Listing>;
  /** Where the generated instance of that id comes from; null for an id that is not of this generator. */
  locate?(id: string): InstanceOrigin | null;
  /** For transcripts: diagnostics, gauges, hovers, completion. */
  readonly commentary?: Commentary<S>;
  /** For the episode panel. */
  readonly panel?: Panel<I, S>;
  /** What the last reply was made from, and what it is; null before there is one. */
  comparedTexts?(state: S): ComparedTexts | null;
  /** Why the episode failed that went through `states`, from the start on; null for no states. */
  explain?(states: readonly S[]): Explanation | null;
  /** For `hopscope probe`. */
  readonly probes?: Probes<S>;
  /** For `hopscope teach`. */
  readonly teacher?: Teacher<I, S>;
  /** For environments whose episodes come in streams from which a method learns. */
  readonly streams?: Streams<I, O, S>;
}
