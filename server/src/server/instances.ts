/** Wires the requests of the instances view: lists, search by id, and examinations in worker threads. */
import path from 'node:path';
import { type CancellationToken, type Connection, ProgressType } from 'vscode-languageserver/node';
import type { Environment } from '../engine/environments/environment.ts';
import { describeFindings, type Examination } from '../engine/evals/examination.ts';
import { accept, type Checked, refuse } from '../engine/problem.ts';
import { type ExamineRequest, examineAll, fileBatches, splitBatches } from '../host/examine.ts';
import { Failure } from '../host/failure.ts';
import type { InstanceFiles } from '../host/instance-files.ts';
import { defaultWorkers } from '../host/pool.ts';
import type { InstanceLists } from '../language/instances/list.ts';
import type { ExamineProgress, RequestMethod, RequestParams, RequestResult } from '../protocol.ts';
import { createTurns } from './turns.ts';

/** Registers the one handler of a request of ours. */
export type Answer = <M extends RequestMethod>(
  method: M,
  handler: (
    params: RequestParams<M>,
    token: CancellationToken,
  ) => RequestResult<M> | Promise<RequestResult<M>>,
) => void;

export interface InstanceWiring {
  readonly connection: Connection;
  readonly answer: Answer;
  readonly environments: readonly Environment[];
  readonly lists: InstanceLists;
  readonly files: InstanceFiles;
  /** Absolute path of the bundled worker. */
  readonly script: string;
}

const progressType = new ProgressType<ExamineProgress>();

export function wireInstances({
  connection,
  answer,
  environments,
  lists,
  files,
  script,
}: InstanceWiring): void {
  answer('hopscope/listInstances', ({ source, from, count, filter }) =>
    lists.list(source, from, count, filter),
  );
  answer('hopscope/instanceGroups', ({ source }) => lists.groups(source));
  answer('hopscope/findInstance', ({ id, files: among }) => lists.find(id, among));

  const inTurn = createTurns();
  answer('hopscope/examine', async (params, token) => {
    const request = await requestOf(environments, files, params);
    if (!request.ok) return request;
    const { title, audit } = request.value.environment;
    if (params.audit && audit === undefined) return refuse(`${title} has no audit.`);
    const total = params.position === null ? countOf(request.value) : 1;
    const examined = await inTurn(token, () => examine(request.value, total, params.token, token));
    return examined ?? refuse('The examination was cancelled.');
  });

  async function examine(
    request: ExamineRequest,
    total: number,
    progress: string,
    token: CancellationToken,
  ): Promise<Checked<Examination>> {
    const abort = new AbortController();
    const listening = token.onCancellationRequested(() => abort.abort());
    try {
      const settings = { script, workers: defaultWorkers(), signal: abort.signal };
      const findings = await examineAll(request, settings, (done) => {
        void connection.sendProgress(progressType, progress, { done, total });
      });
      return accept<Examination>(describeFindings(findings));
    } catch (error) {
      if (error instanceof Failure) return refuse(error.message);
      throw error;
    } finally {
      listening.dispose();
    }
  }
}

async function requestOf(
  environments: readonly Environment[],
  files: InstanceFiles,
  { source, position, audit }: RequestParams<'hopscope/examine'>,
): Promise<Checked<ExamineRequest>> {
  if ('file' in source) {
    const indexed = await files.index(source.file);
    if (!indexed.ok) return indexed;
    const { path: file, environment, instances, problems } = indexed.value;
    const lines = position === null ? instances : instances.slice(position, position + 1);
    const label = labelOf(path.basename(file), position, lines[0]?.id);
    const unread = position === null ? problems : [];
    return accept({ environment, label, batches: fileBatches(file, lines), problems: unread, audit });
  }
  const environment = environments.find(({ id }) => id === source.environment);
  const split = environment?.splits.find(({ id }) => id === source.split);
  if (environment === undefined || split === undefined) {
    return refuse(`There is no split ${source.split} of ${source.environment}.`);
  }
  const batches =
    position === null ? splitBatches(split.id, split.size) : [{ split: split.id, indices: [position] }];
  const label = labelOf(split.id, position, undefined);
  return accept({ environment, label, batches, problems: [], audit });
}

function labelOf(source: string, position: number | null, name: string | undefined): string {
  return position === null ? source : `${source} ${name ?? position}`;
}

function countOf({ batches }: ExamineRequest): number {
  return batches.reduce(
    (sum, batch) => sum + ('split' in batch ? batch.indices.length : batch.lines.length),
    0,
  );
}
