/** Wires the requests of the episode panel: sessions in the host, instances and transcripts through the service. */
import { type CancellationToken, type Connection, ProgressType } from 'vscode-languageserver/node';
import manifest from '../../../package.json' with { type: 'json' };
import type { Environment } from '../engine/environments/environment.ts';
import { compareBranches, look, lookFirst } from '../engine/evals/sessions/look.ts';
import { followEvents, keep, promptOf, type Session, usePrompt } from '../engine/evals/sessions/session.ts';
import {
  askedAt,
  lookAtPrompt,
  printSession,
  questionNow,
  readText,
  reportSession,
} from '../engine/evals/sessions/texts.ts';
import { nodeOf } from '../engine/evals/sessions/tree.ts';
import { accept, type Checked, refuse } from '../engine/problem.ts';
import { parseTranscript } from '../engine/transcripts/parse-transcript.ts';
import { saveRun } from '../host/episodes/save-run.ts';
import { SECRET_VARIABLE, unseal } from '../host/episodes/sealed-key.ts';
import { Sessions } from '../host/episodes/sessions.ts';
import { systemClock } from '../host/models/clock.ts';
import type { Instances } from '../language/instances/instances.ts';
import type { ModelTokenizer } from '../language/prompts/token-counts.ts';
import { forPeople } from '../language/sentence.ts';
import type { SaidProgress } from '../protocol.ts';
import { help, placesOf } from './episode-help.ts';
import { fileOf, openSource, playedEvents, relative } from './episode-sources.ts';
import type { Answer } from './instances.ts';

export interface EpisodeWiring {
  readonly connection: Connection;
  readonly answer: Answer;
  readonly environments: readonly Environment[];
  readonly instances: Instances;
  readonly tokenizer: ModelTokenizer;
}

const progressType = new ProgressType<SaidProgress>();

/** What a model says is passed on so often, in ms: more often nobody could read it. */
const saidEvery = 40;
/** And so much of it at once, in UTF-16 code units: the end of what came, if more came. */
const mostSaid = 20_000;

export function wireEpisodes(wiring: EpisodeWiring): void {
  const { connection, answer, tokenizer } = wiring;
  const secret = process.env[SECRET_VARIABLE];
  const sessions = new Sessions({ clock: systemClock, unseal: (sealed) => unseal(sealed, secret) });

  answer('hopscope/episode/open', async ({ session: id, source, spoilers }) => {
    const opened = await openSource(source, wiring);
    if (!opened.ok) return forPeople(opened);
    sessions.open(id, opened.value);
    return accept(lookFirst(opened.value, spoilers));
  });
  answer('hopscope/episode/close', ({ session }) => {
    sessions.close(session);
    return null;
  });
  answer('hopscope/episode/look', ({ session, spoilers }) =>
    map(sessions.get(session), (it) => lookFirst(it, spoilers)),
  );
  answer('hopscope/episode/step', async ({ session, spoilers, driver, token: progress }, token) => {
    const batch = saidBatch((said) => void connection.sendProgress(progressType, progress, said));
    const abort = abortOf(token);
    try {
      const stepped = await sessions.step(session, driver, batch, abort.signal);
      return map(stepped, (it) => look(it, spoilers));
    } finally {
      batch.flush();
      abort.dispose();
    }
  });
  answer('hopscope/episode/go', ({ session, spoilers, node }) =>
    map(sessions.go(session, node), (it) => look(it, spoilers)),
  );
  answer('hopscope/episode/fork', ({ session, spoilers }) =>
    map(sessions.fork(session), (it) => look(it, spoilers)),
  );
  answer('hopscope/episode/usePrompt', ({ session, spoilers, prompt }) =>
    map(
      sessions.change(session, (it) => usePrompt(it, prompt)),
      (it) => look(it, spoilers),
    ),
  );
  answer('hopscope/episode/prompt', ({ session, node, which }) =>
    at(session, node, (it) => lookAtPrompt(it, node, which)),
  );
  answer('hopscope/episode/promptTokens', async ({ session, node, which }) => {
    const asked = at(session, node, (it) => askedAt(it, node, which));
    if (!asked.ok) return asked;
    const counts = await tokenizer.count(asked.value.messages.map(({ content }) => content));
    return accept({ tokenizer: tokenizer.name, counts });
  });
  answer('hopscope/episode/question', ({ session }) => {
    const found = sessions.get(session);
    return found.ok ? questionNow(found.value) : found;
  });
  answer('hopscope/episode/text', ({ session, node, what, from }) =>
    at(session, node, (it) => readText(it, node, what, from)),
  );
  answer('hopscope/episode/advice', ({ session }) =>
    map(sessions.get(session), ({ environment, tree }) => {
      const best = environment.commentary?.bestReplies?.(nodeOf(tree, tree.at).state) ?? null;
      return { reply: best?.[0] ?? null, needed: best?.length ?? null };
    }),
  );
  answer('hopscope/episode/help', ({ session, spoilers, text, offset }) =>
    map(sessions.get(session), (it) => help(it, text, offset, spoilers)),
  );
  answer('hopscope/episode/compare', ({ session, spoilers, left, right }) =>
    at(session, left, (it) => at(session, right, () => accept(compareBranches(it, left, right, spoilers)))),
  );
  answer('hopscope/episode/follow', ({ session, spoilers, text, step }) => {
    const { transcript } = parseTranscript(text);
    const { instance: name } = transcript;
    return map(
      sessions.change(session, (it) =>
        name === it.instance.id
          ? accept(followEvents(it, playedEvents(transcript), step).session)
          : refuse(`This transcript is of ${name || 'no instance'}, not of ${it.instance.id}.`),
      ),
      (it) => look(it, spoilers),
    );
  });
  answer('hopscope/episode/print', ({ session, spoilers, what, target }) =>
    map(sessions.get(session), (it) => {
      if (what === 'session') return keep(it);
      if (what === 'report') return reportSession(it, spoilers);
      if (what === 'prompt') return promptOf(it)?.source.text ?? '';
      const prompt = it.prompts.at(-1)?.source.uri ?? null;
      return printSession(it, {
        instances: relative(target, fileOf(it)),
        prompt: prompt === null ? null : relative(target, prompt),
      });
    }),
  );
  answer('hopscope/episode/saveRun', async ({ session, parent }) => {
    const found = sessions.get(session);
    if (!found.ok) return found;
    return saveRun(found.value, parent, {
      clock: systemClock,
      version: manifest.version,
      file: fileOf(found.value),
    });
  });
  answer('hopscope/episode/places', ({ session }) =>
    map(sessions.get(session), ({ environment, instance }) => placesOf(environment, instance)),
  );

  /** What `use` gives for a session that has such a node. */
  function at<T>(id: string, node: number, use: (session: Session) => Checked<T>): Checked<T> {
    const found = sessions.get(id);
    if (!found.ok) return found;
    if (found.value.tree.nodes[node] === undefined) {
      return refuse('There is no such step in this episode any more.');
    }
    return use(found.value);
  }
}

function map<T, R>(checked: Checked<T>, use: (value: T) => R): Checked<R> {
  return checked.ok ? accept(use(checked.value)) : checked;
}

function abortOf(token: CancellationToken): { readonly signal: AbortSignal; dispose(): void } {
  const abort = new AbortController();
  const listening = token.onCancellationRequested(() => abort.abort());
  return { signal: abort.signal, dispose: () => listening.dispose() };
}

/** Passes on what is said in pieces that are worth a message. */
function saidBatch(send: (said: SaidProgress) => void) {
  let text = '';
  let reasoning = '';
  let timer: NodeJS.Timeout | undefined;
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (text !== '' || reasoning !== '')
      send({ text: text.slice(-mostSaid), reasoning: reasoning.slice(-mostSaid) });
    text = '';
    reasoning = '';
  }
  return {
    said(delta: { readonly text?: string; readonly reasoning?: string }): void {
      text += delta.text ?? '';
      reasoning += delta.reasoning ?? '';
      timer ??= setTimeout(flush, saidEvery);
    },
    restart(): void {
      text = '';
      reasoning = '';
      send({ restart: true });
    },
    flush,
  };
}
