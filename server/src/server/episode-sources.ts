/** What a session is opened on: instances by address, transcripts, episodes of runs, and what was kept of a session. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Event } from '../engine/environments/chat.ts';
import type { AnyInstance, Environment } from '../engine/environments/environment.ts';
import type { RunEpisode, RunInfo } from '../engine/evals/run-data.ts';
import { parseKeptSession, type SessionOrigin } from '../engine/evals/sessions/file.ts';
import {
  followEvents,
  openSession,
  restore,
  type Session,
  type SessionSubject,
  usePrompt,
} from '../engine/evals/sessions/session.ts';
import type { SessionPromptText, SessionSource } from '../engine/evals/sessions/view.ts';
import { accept, type Checked, refuse } from '../engine/problem.ts';
import { parseStepPrompt } from '../engine/prompts/step-prompt.ts';
import type { Transcript } from '../engine/transcripts/transcript.ts';
import { Failure } from '../host/failure.ts';
import { openRunInstances } from '../host/run-instances.ts';
import { readRun } from '../host/runs/read-run.ts';
import type { Instances } from '../language/instances/instances.ts';
import { parseFileInstanceUri, parseInstanceUri, printInstanceUri } from '../language/instances/uri.ts';
import { createAnalyses } from '../language/transcripts/analysis.ts';

/** Where instances are found. */
export interface Sources {
  readonly environments: readonly Environment[];
  readonly instances: Instances;
}

type RawOptions = Readonly<Record<string, unknown>>;

/** Opens a session. The error is half a sentence or a whole one. */
export async function openSource(source: SessionSource, sources: Sources): Promise<Checked<Session>> {
  switch (source.kind) {
    case 'instance': {
      const options = source.prompt === null ? {} : parseStepPrompt(source.prompt.text).prompt.options;
      const subject = await subjectAt(source.uri, options, sources);
      if (!subject.ok) return subject;
      return usePrompt(openSession(subject.value, null), source.prompt);
    }
    case 'transcript':
      return openTranscript(source, sources);
    case 'run': {
      const opened = await openRunEpisode(source.folder, source.task);
      if (!opened.ok) return opened;
      const { subject, episode, info } = opened.value;
      const by = info.agent.kind === 'model' ? info.agent.model : info.agent.policy;
      const session = openSession(subject, promptOfRun(info));
      return accept(followEvents(session, episode.events, null, by).session);
    }
    case 'kept': {
      const kept = parseKeptSession(source.text);
      if (!kept.ok) return kept;
      const { origin, options } = kept.value;
      const subject = await subjectOf(origin, options ?? {}, sources);
      return subject.ok ? restore(subject.value, kept.value) : subject;
    }
  }
}

async function subjectOf(
  origin: SessionOrigin,
  options: RawOptions,
  sources: Sources,
): Promise<Checked<SessionSubject>> {
  if (origin.kind === 'instance') return subjectAt(origin.uri, options, sources);
  const opened = await openRunEpisode(origin.folder, origin.task);
  return opened.ok ? accept(opened.value.subject) : opened;
}

/** @param options over those of the address */
async function subjectAt(
  uri: string,
  options: RawOptions,
  { instances }: Sources,
): Promise<Checked<SessionSubject>> {
  const opened = await instances.load(uri);
  if (!opened.ok) return opened;
  const { environment, instance } = opened.value;
  const address = parseInstanceUri(uri);
  const rawOptions = { ...(address.ok ? address.value.options : {}), ...options };
  return subjectOn(environment, instance, rawOptions, { kind: 'instance', uri }, uri);
}

function subjectOn(
  environment: Environment,
  instance: AnyInstance,
  rawOptions: RawOptions,
  origin: SessionOrigin,
  uri: string | null,
): Checked<SessionSubject> {
  const options = environment.parseOptions(rawOptions);
  if (!options.ok) return refuse(`The options do not fit: ${options.error}.`);
  return accept({ environment, instance, rawOptions, options: options.value, origin, uri });
}

async function openTranscript(
  { uri, text, prompt }: Extract<SessionSource, { kind: 'transcript' }>,
  { environments, instances }: Sources,
): Promise<Checked<Session>> {
  const analyses = createAnalyses(environments, instances);
  const document = TextDocument.create(uri, 'hopscope-episode', 1, text);
  await analyses.prepare(document);
  const { played, parsed, problems } = analyses.of(document);
  const { transcript } = parsed;
  if (played === undefined) {
    const why = problems[0]?.message ?? 'It names no instance that can be found.';
    return refuse(`The episode of this transcript cannot be opened. ${why}`);
  }
  const { environment, instance } = played;
  const origin = { kind: 'instance', uri: played.uri } as const;
  const subject = subjectOn(environment, instance, transcript.options, origin, played.uri);
  if (!subject.ok) return subject;
  const session = usePrompt(openSession(subject.value, null), prompt);
  // A transcript is looked at all the same when its prompt has errors by now.
  const opened = session.ok ? session.value : openSession(subject.value, null);
  const by = transcript.model ?? transcript.policy ?? 'you';
  return accept(followEvents(opened, playedEvents(transcript), null, by).session);
}

/** The events of a transcript without a last step that is still to be written. */
export function playedEvents({ events, outcome }: Transcript): readonly Event[] {
  const last = events.at(-1);
  const isOpen =
    outcome === null &&
    last?.kind === 'reply' &&
    last.text === '' &&
    last.reasoning === undefined &&
    last.toolCalls === undefined;
  return isOpen ? events.slice(0, -1) : events;
}

interface RunSubject {
  readonly subject: SessionSubject;
  readonly episode: RunEpisode;
  readonly info: RunInfo;
}

/** @param folder path or address of a run's folder */
async function openRunEpisode(folder: string, task: number): Promise<Checked<RunSubject>> {
  try {
    const run = await readRun(folder.startsWith('file:') ? fileURLToPath(folder) : folder);
    const { info } = run;
    const episode = run.episodes.find((candidate) => candidate.task === task);
    if (episode === undefined) return refuse(`Run ${info.id} has no episode ${task}.`);
    const { environment, get } = await openRunInstances(run, [], () => {});
    const instance = await get(episode);
    if (!instance.ok) return instance;
    const origin = { kind: 'run', folder, task } as const;
    const uri = uriOfEpisode(environment, episode, info.options);
    const subject = subjectOn(environment, instance.value, info.options, origin, uri);
    return subject.ok ? accept({ subject: subject.value, episode, info }) : subject;
  } catch (error) {
    if (error instanceof Failure) return refuse(error.message);
    throw error;
  }
}

/** Where the instance opens; null for one in a file. */
function uriOfEpisode(environment: Environment, episode: RunEpisode, options: RawOptions): string | null {
  const { instanceId: id, split, index } = episode;
  const place = environment.locate?.(id) ?? (split === null || index === null ? null : { split, index });
  if (place === null) return null;
  return printInstanceUri({
    environment: environment.id,
    split: place.split,
    index: place.index,
    id,
    options,
  });
}

function promptOfRun({ prompt }: RunInfo): SessionPromptText | null {
  return prompt && { uri: null, name: prompt.name, text: prompt.text };
}

/** The address of the file that holds a session's instance; null for a generated one. */
export function fileOf({ origin }: Session): string | null {
  return origin.kind === 'instance' ? (parseFileInstanceUri(origin.uri)?.file ?? null) : null;
}

/** The path that leads from the file at `target` to `uri`; null where there is none. Both are addresses. */
export function relative(target: string | null, uri: string | null): string | null {
  if (uri === null || !uri.startsWith('file:')) return null;
  const to = fileURLToPath(uri);
  if (target === null || !target.startsWith('file:')) return to;
  return path
    .relative(path.dirname(fileURLToPath(target)), to)
    .split(path.sep)
    .join('/');
}
