/** Wires the requests of the results panel, the comparison page and the tests: all work is done in two threads. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CancellationToken, Connection } from 'vscode-languageserver/node';
import type { Environment } from '../engine/environments/environment.ts';
import { environmentNote } from '../engine/evals/panel/environment-note.ts';
import { accept, type Checked, refuse } from '../engine/problem.ts';
import { Failure } from '../host/failure.ts';
import {
  openPanelThread,
  type PanelThread,
  type Question,
  type Answer as ThreadAnswer,
  type Params as ThreadParams,
} from '../host/panel/thread.ts';
import type { ResultsNotifications, RunProgress } from '../protocol.ts';
import type { Answer } from './instances.ts';

export interface ResultsWiring {
  readonly connection: Connection;
  readonly answer: Answer;
  readonly environments: readonly Environment[];
  /** The bundled thread. */
  readonly script: URL;
}

const progressMethod: keyof ResultsNotifications = 'hopscope/results/progress';

/** @returns what ends the threads. */
export function wireResults({ connection, answer, environments, script }: ResultsWiring): () => void {
  // By path, the address under which the editor knows a run.
  const addresses = new Map<string, string>();
  const notes = environments.map(environmentNote);
  const shown = openPanelThread(script, notes, (progress) => {
    const run = addresses.get(progress.run);
    if (run !== undefined) {
      void connection.sendNotification(progressMethod, { ...progress, run } satisfies RunProgress);
    }
  });
  // Comparing takes seconds: whoever reads a run meanwhile is not to wait for it.
  const compared = openPanelThread(script, notes, () => undefined);
  // Neither is a list of streams, for which all their files are read.
  const listed = openPanelThread(script, notes, () => undefined);

  /** Asks a thread about a run by its address. */
  async function about<Q extends Question>(
    thread: PanelThread,
    question: Q,
    token: CancellationToken,
    params: () => ThreadParams<Q>,
  ): Promise<Checked<ThreadAnswer<Q>>> {
    const abort = new AbortController();
    const listening = token.onCancellationRequested(() => abort.abort());
    try {
      return accept(await thread.ask(question, params(), abort.signal));
    } catch (error) {
      if (error instanceof Failure) return refuse(error.message);
      throw error;
    } finally {
      listening.dispose();
    }
  }

  const pathOf = (run: string): string => {
    const found = pathOfAddress(run);
    addresses.set(found, run);
    return found;
  };
  const withPath = <P extends { readonly run: string }>(params: P): P => ({
    ...params,
    run: pathOf(params.run),
  });
  const withPaths = <P extends { readonly a: string; readonly b: string }>(params: P): P => ({
    ...params,
    a: pathOfAddress(params.a),
    b: pathOfAddress(params.b),
  });

  answer('hopscope/results/open', async (params, token) => {
    const opened = await about(shown, 'open', token, () => withPath(params));
    if (!opened.ok) return opened;
    const { facts, progress } = opened.value;
    return accept({ facts, progress: { ...progress, run: params.run } });
  });
  answer('hopscope/results/rows', (params, token) => about(shown, 'rows', token, () => withPath(params)));
  answer('hopscope/results/figures', (params, token) =>
    about(shown, 'figures', token, () => withPath(params)),
  );
  answer('hopscope/results/steps', (params, token) => about(shown, 'steps', token, () => withPath(params)));
  answer('hopscope/results/text', (params, token) => about(shown, 'text', token, () => withPath(params)));
  answer('hopscope/results/transcript', (params, token) =>
    about(shown, 'transcript', token, () => withPath(params)),
  );
  answer('hopscope/results/verdicts', (params, token) =>
    about(shown, 'verdicts', token, () => withPath(params)),
  );
  answer('hopscope/results/context', (params, token) =>
    about(shown, 'context', token, () => withPath(params)),
  );
  answer('hopscope/results/refresh', async (params, token) => {
    const progress = await about(shown, 'refresh', token, () => withPath(params));
    return progress.ok ? accept({ ...progress.value, run: params.run }) : progress;
  });
  answer('hopscope/results/close', async (params, token) => {
    await about(shown, 'close', token, () => withPath(params));
    return null;
  });
  answer('hopscope/results/compare', (params, token) =>
    about(compared, 'compare', token, () => withPaths(params)),
  );
  answer('hopscope/results/flips', (params, token) =>
    about(compared, 'flips', token, () => withPaths(params)),
  );
  answer('hopscope/results/parting', (params, token) =>
    about(compared, 'parting', token, () => withPaths(params)),
  );

  answer('hopscope/results/stream', (params, token) => about(shown, 'stream', token, () => withPath(params)));
  answer('hopscope/results/memory', (params, token) => about(shown, 'memory', token, () => withPath(params)));
  answer('hopscope/listStreams', async ({ folders, prices }, token) => {
    const found = await about(listed, 'streams', token, () => ({
      folders: folders.filter((it) => it.startsWith('file:')).map(pathOfAddress),
      prices,
    }));
    return found.ok ? found.value : { streams: [], broken: [] };
  });

  return () => {
    shown.close();
    listed.close();
    compared.close();
  };
}

/** @throws Failure for an address that is no path here. */
function pathOfAddress(run: string): string {
  try {
    // Without a slash at its end, so that one folder has one name.
    if (run.startsWith('file:')) return path.resolve(fileURLToPath(run));
  } catch {
    // E.g. with a host on a system that has none.
  }
  throw new Failure('request', `Runs are folders on a disk, and ${run} is none.`);
}
