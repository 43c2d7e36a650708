/** Settings as the editor holds them for one document, asked for once and remembered until they change. */

export interface DocumentSettings {
  /** Check fenced transcripts of Markdown files. */
  readonly checkMarkdownTranscripts: boolean;
  /** Show what a player must not know: the answer, the evidence, the distractors, the best next action. */
  readonly spoilers: boolean;
  /** Names of models that completion offers. */
  readonly models: readonly string[];
  /** Instances of which an eval is offered. */
  readonly evalInstances: number;
}

/** Section of the editor's settings that holds all of ours. */
export const SECTION = 'hopscope';

/** Spoilers are shown: whoever studies why an agent failed needs them, and playing oneself is the rarer wish. */
export const DEFAULTS: DocumentSettings = {
  checkMarkdownTranscripts: true,
  spoilers: true,
  models: [],
  evalInstances: 20,
};

export interface Settings {
  /** Of the document at `uri`; the defaults where the editor has nothing usable to say. */
  of(uri: string): Promise<DocumentSettings>;
  /** Call when a document is closed. */
  forget(uri: string): void;
  /** Call when the editor says that settings changed. */
  forgetAll(): void;
  /** Call when the editor has learned which models there are: they come after those that the settings name. */
  learnModels(names: readonly string[]): void;
}

/** @param fetch asks the editor for our section at a document; undefined when the editor cannot be asked. */
export function createSettings(fetch: ((uri: string) => Promise<unknown>) | undefined): Settings {
  const known = new Map<string, Promise<DocumentSettings>>();
  let learned: readonly string[] = [];
  const withLearned = (settings: DocumentSettings): DocumentSettings =>
    learned.length === 0 ? settings : { ...settings, models: [...new Set([...settings.models, ...learned])] };
  return {
    async of(uri) {
      if (!fetch) return withLearned(DEFAULTS);
      const asked = known.get(uri) ?? fetch(uri).then(parseSettings, () => DEFAULTS);
      known.set(uri, asked);
      return withLearned(await asked);
    },
    forget: (uri) => void known.delete(uri),
    forgetAll: () => known.clear(),
    learnModels(names) {
      learned = names.slice(0, mostModels);
    },
  };
}

/** Names kept of what an endpoint lists; the largest public ones have some hundred. */
const mostModels = 2000;

function parseSettings(section: unknown): DocumentSettings {
  const check = member(member(section, 'markdown'), 'checkTranscripts');
  const spoilers = member(section, 'spoilers');
  const models: unknown = member(section, 'models');
  const instances = member(member(section, 'eval'), 'instances');
  return {
    checkMarkdownTranscripts: typeof check === 'boolean' ? check : DEFAULTS.checkMarkdownTranscripts,
    spoilers: spoilers === 'show' || spoilers === 'hide' ? spoilers === 'show' : DEFAULTS.spoilers,
    models: Array.isArray(models) ? models.filter((name) => typeof name === 'string') : DEFAULTS.models,
    evalInstances: isCount(instances) ? instances : DEFAULTS.evalInstances,
  };
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
