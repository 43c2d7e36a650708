/** Wires what the editor asks about data from outside. They are fetched when a person has said so, and never otherwise. */
import { setTimeout } from 'node:timers/promises';
import { type CancellationToken, type Connection, ProgressType } from 'vscode-languageserver/node';
import type { DataSet } from '../engine/environments/data-set.ts';
import type { Environment } from '../engine/environments/environment.ts';
import { accept, type Checked, refuse } from '../engine/problem.ts';
import { fetchData } from '../host/data/fetch.ts';
import { nameFolder } from '../host/data/folders.ts';
import { megabytes } from '../host/data/open.ts';
import { Failure } from '../host/failure.ts';
import { missingData } from '../language/instances/missing-data.ts';
import type { DataInfo, ExamineProgress } from '../protocol.ts';
import type { Answer } from './instances.ts';

export interface DataWiring {
  readonly connection: Connection;
  readonly answer: Answer;
  readonly environments: readonly Environment[];
  /** Called when data may have come or gone. */
  changed(): void;
}

const progressType = new ProgressType<ExamineProgress>();

export function wireData({ connection, answer, environments, changed }: DataWiring): void {
  const setOf = (id: string) => environments.find(({ data }) => data?.set.id === id)?.data?.set;

  const underWay = new Set<string>();

  answer('hopscope/data', () => environments.flatMap(infoOf));

  answer('hopscope/dataFolder', ({ folder }) => {
    nameFolder(folder);
    changed();
    return null;
  });

  answer('hopscope/fetchData', async ({ set: id, token: progress }, cancellation) => {
    const set = setOf(id);
    if (set === undefined) return refuse(`There are no data "${id}".`);
    // Two at once would write the same files.
    if (underWay.has(id)) return refuse('These data are being fetched already.');
    underWay.add(id);
    try {
      return await fetchFor(set, cancellation, (done) => {
        void connection.sendProgress(progressType, progress, { done, total: set.files.length });
      });
    } finally {
      underWay.delete(id);
      changed();
    }
  });
}

function infoOf(environment: Environment): readonly DataInfo[] {
  const { data } = environment;
  if (data === undefined) return [];
  const { id, title, origin } = data.set;
  const isHere = missingData(environment) === null;
  return [{ set: id, title, origin, size: megabytes(data.set), environment: environment.id, isHere }];
}

/** The folder that the data are in then. */
async function fetchFor(
  set: DataSet,
  cancellation: CancellationToken,
  progress: (done: number) => void,
): Promise<Checked<string>> {
  const abort = new AbortController();
  const listening = cancellation.onCancellationRequested(() => abort.abort());
  const { openDownload } = await import('../host/data/download.ts'); // rarely needed, and large
  const { download, close } = openDownload();
  try {
    const { signal } = abort;
    const wait = (ms: number) => setTimeout(ms, undefined, { signal });
    const { folder } = await fetchData({ set, signal, download, wait, progress });
    return accept(folder);
  } catch (error) {
    if (abort.signal.aborted) return refuse('Getting the data was cancelled; what has come is kept.');
    if (error instanceof Failure) return refuse(error.message);
    throw error;
  } finally {
    listening.dispose();
    await close();
  }
}
