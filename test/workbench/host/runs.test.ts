/** Runs in a real extension host: begun, watched, stopped, gone on with, and what follows from them. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { suite, suiteTeardown, teardown, test } from 'mocha';
import * as vscode from 'vscode';
import type { Played } from '../../../client/src/runs/active.ts';
import type { EvalChoice } from '../../../client/src/runs/choice.ts';
import type { RunListing, RunRow } from '../../../server/src/protocol.ts';
import { type ModelServer, type Respond, startModelServer } from '../../support/model-server.ts';
import { closeAll, eventually } from './kit.ts';

const [folder] = vscode.workspace.workspaceFolders ?? [];
const base = folder?.uri.fsPath ?? '';
const outputs = path.join(base, 'outputs');
const prompt = path.join(base, 'terse.step.md');
const servers: ModelServer[] = [];

/** An endpoint that plays badly: it answers at once, and wrongly. */
async function serve(respond: Respond = () => ({ said: { text: 'ACTION: ANSWER nothing' } })) {
  const server = await startModelServer(respond);
  servers.push(server);
  return server;
}

function choiceOf(agent: EvalChoice['agent'], count: number): EvalChoice {
  return { prompts: [prompt], agent, instances: { split: 'train' }, count };
}

async function call<T>(command: string, ...args: unknown[]): Promise<T> {
  return vscode.commands.executeCommand<T>(`hopscope.${command}`, ...args);
}

const run = (choice: EvalChoice) => call<Played>('runEval', undefined, choice);

async function listed(where: string): Promise<RunRow | undefined> {
  const { runs } = await call<RunListing>('runs.list');
  return runs.find(({ uri }) => vscode.Uri.parse(uri).fsPath === where);
}

/** Waits until a run is listed as `status`. */
function hasStatus(where: string, status: RunRow['status']): Promise<RunRow> {
  return eventually(async () => {
    const row = await listed(where);
    return row?.status === status ? row : undefined;
  });
}

function only(played: Played | undefined): string {
  assert.equal(played?.problem, undefined);
  assert.equal(played?.folders.length, 1);
  return played?.folders[0] ?? '';
}

suite('runs', () => {
  teardown(async () => {
    for (const server of servers.splice(0)) await server.close();
    await closeAll();
  });
  suiteTeardown(() => fs.rmSync(outputs, { recursive: true, force: true }));

  test('a policy plays a step prompt', async () => {
    const played = await run(choiceOf({ policy: 'oracle' }, 4));
    const where = only(played);
    assert.equal(path.dirname(where), outputs);
    const [end] = played.ends;
    assert.deepEqual([end?.status, end?.requested, end?.scored], ['done', 4, 4]);
    const row = await hasStatus(where, 'done');
    assert.equal(row.figures.reward.mean, end?.reward);
    assert.deepEqual(row.figures.counts, { requested: 4, scored: 4, errored: 0, unfinished: 0 });
    assert.deepEqual([row.prompt?.name, row.prompt?.path], ['terse', 'terse.step.md']);
    assert.deepEqual(row.agent, { kind: 'policy', name: 'oracle', baseUrl: null });
  });

  test('the last choice is repeated, with the step prompt as it is being edited', async () => {
    const document = await vscode.workspace.openTextDocument(prompt);
    const before = document.getText();
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(document.lineCount, 0), 'Think.\n');
    assert.ok(await vscode.workspace.applyEdit(edit));
    const where = only(await call<Played>('repeatEval'));
    assert.equal(document.isDirty, false);
    const config: { prompt: { text: string } } = JSON.parse(
      fs.readFileSync(path.join(where, 'configs/eval.json'), 'utf8'),
    );
    assert.equal(config.prompt.text, document.getText());
    // The prompt of a run before the change comes back, as an edit.
    const { runs } = await call<RunListing>('runs.list');
    const first = runs.find(({ prompt: its, uri }) => its && vscode.Uri.parse(uri).fsPath !== where);
    await call('runs.restorePrompt', first?.uri, 'put back');
    assert.equal(document.getText(), before);
    assert.ok(document.isDirty);
    await document.save();
  });

  test('a run is watched, stopped at once and gone on with', async () => {
    let isOpen = false;
    const server = await serve(({ number }) =>
      isOpen || number < 2 ? { said: { text: 'ACTION: ANSWER nothing' } } : { delivery: 'stall-headers' },
    );
    const playing = run(choiceOf({ model: 'test-model', baseUrl: server.baseUrl }, 5));
    const row = await eventually(async () => {
      const { runs } = await call<RunListing>('runs.list');
      return runs.find(({ status, figures }) => status === 'running' && figures.counts.scored === 2);
    });
    await eventually(() => (server.count >= 5 ? true : undefined)); // all others are under way
    await call('stopEval', row.uri);
    const played = await playing;
    assert.ok(played.wasStopped);
    const where = only(played);
    const stopped = await hasStatus(where, 'stopped');
    assert.deepEqual(stopped.figures.counts, { requested: 5, scored: 2, errored: 0, unfinished: 3 });
    isOpen = true;
    const resumed = await call<Played>('runs.resume', row.uri);
    assert.equal(only(resumed), where);
    const done = await hasStatus(where, 'done');
    assert.deepEqual(done.figures.counts, { requested: 5, scored: 5, errored: 0, unfinished: 0 });
    assert.equal(done.figures.reward.mean, 0);
  });

  test('failures of the endpoint are retried', async () => {
    let isBroken = true;
    const server = await serve(({ number }) =>
      isBroken && number % 2 === 1
        ? { status: 400, body: { error: { message: 'This prompt is not liked.' } } }
        : { said: { text: 'ACTION: ANSWER nothing' } },
    );
    const where = only(await run(choiceOf({ model: 'test-model', baseUrl: server.baseUrl }, 4)));
    const row = await hasStatus(where, 'errors');
    assert.deepEqual(row.figures.counts, { requested: 4, scored: 2, errored: 2, unfinished: 0 });
    isBroken = false;
    const before = server.count;
    await call('runs.retry', row.uri);
    const done = await hasStatus(where, 'done');
    assert.equal(done.figures.counts.scored, 4);
    assert.equal(server.count - before, 2);
  });

  test('failures of a run are played again, under a name', async () => {
    const server = await serve();
    const agent = { model: 'test-model', baseUrl: server.baseUrl };
    const where = only(await run(choiceOf(agent, 3)));
    const row = await hasStatus(where, 'done');
    const again = await call<Played>('runs.failures', row.uri, { causes: [], name: 'all of them' });
    const suiteFile = path.join(base, 'suites/all-of-them.suite.json');
    const written: { name: string; instances: object[] } = JSON.parse(fs.readFileSync(suiteFile, 'utf8'));
    assert.deepEqual([written.name, written.instances.length], ['all of them', 3]);
    const second = await hasStatus(only(again), 'done');
    assert.deepEqual([second.suite, second.figures.counts.scored], ['all of them', 3]);
    fs.rmSync(path.dirname(suiteFile), { recursive: true });
  });

  test('two step prompts play side by side', async () => {
    const other = path.join(base, 'other.step.md');
    fs.writeFileSync(other, `${fs.readFileSync(prompt, 'utf8')}Take care.\n`);
    const choice = choiceOf({ policy: 'oracle' }, 2);
    const played = await run({ ...choice, prompts: [prompt, other] });
    assert.deepEqual([played.folders.length, played.ends.length], [2, 2]);
    const rows = await Promise.all(played.folders.map((where) => hasStatus(where, 'done')));
    assert.deepEqual(
      rows.map((row) => row.prompt?.name),
      ['terse', 'other'],
    );
    fs.rmSync(other);
  });

  test('a headless run appears, moves and is told from one of this window', async () => {
    const [open, release] = gate();
    const server = await serve(async ({ number }) => {
      if (number > 0) await open;
      return { said: { text: 'ACTION: ANSWER nothing' } };
    });
    const cli = path.resolve(extensionPath(), 'dist/cli.js');
    const where = ['--base-url', server.baseUrl, '-m', 'headless', '--split', 'train', '-n', '2'];
    const child = spawn(process.execPath, [cli, 'eval', 'terse.step.md', ...where], {
      cwd: base,
      stdio: 'ignore',
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
    const ended = once(child, 'exit');
    const row = await eventually(async () => {
      const { runs } = await call<RunListing>('runs.list');
      return runs.find(({ agent, status, figures }) =>
        agent.name === 'headless' && status === 'running' && figures.counts.scored === 1 ? true : undefined,
      );
    });
    await call('stopEval', row.uri); // says that it cannot
    release();
    await ended;
    const done = await hasStatus(vscode.Uri.parse(row.uri).fsPath, 'done');
    assert.equal(done.figures.counts.scored, 2);
    fs.writeFileSync(
      path.join(vscode.Uri.parse(row.uri).fsPath, 'notes.json'),
      JSON.stringify({ format: 1, text: 'from elsewhere', tags: ['a'] }),
    );
    const noted = await listed(vscode.Uri.parse(row.uri).fsPath);
    assert.deepEqual(noted?.note, { text: 'from elsewhere', tags: ['a'] });
  });

  test('a folder that goes while it is played is told of', async () => {
    const [open, release] = gate();
    const server = await serve(async () => {
      await open;
      return { said: { text: 'ACTION: ANSWER nothing' } };
    });
    const playing = run(choiceOf({ model: 'gone', baseUrl: server.baseUrl }, 2));
    const row = await eventually(async () => {
      const { runs } = await call<RunListing>('runs.list');
      return server.count === 2 ? runs.find(({ agent }) => agent.name === 'gone') : undefined;
    });
    fs.rmSync(vscode.Uri.parse(row.uri).fsPath, { recursive: true });
    release();
    const { problem } = await playing;
    // Which of its files is missed first depends on how soon the replies come.
    assert.match(problem ?? '', /gone--terse\S*(steps|traces|results)\.jsonl/);
    await eventually(async () => ((await listed(vscode.Uri.parse(row.uri).fsPath)) ? undefined : true));
  });

  test('what cannot be run says why', async () => {
    const nobody = choiceOf({ policy: 'nobody' }, 1);
    const played = await run(nobody);
    assert.match(played.problem ?? '', /no policy nobody/);
    const gone = { ...choiceOf({ policy: 'oracle' }, 1), prompts: [path.join(base, 'gone.step.md')] };
    assert.match((await run(gone)).problem ?? '', /gone\.step\.md cannot be read/);
  });
});

function gate(): readonly [Promise<void>, () => void] {
  let release = () => {};
  const open = new Promise<void>((resolve) => {
    release = resolve;
  });
  return [open, release];
}

function extensionPath(): string {
  const found = vscode.extensions.all.find(({ id }) => id.endsWith('hopscope'));
  assert.ok(found);
  return found.extensionPath;
}
