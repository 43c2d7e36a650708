/** A log that was cut anywhere is mended: nothing that was whole is lost, and what comes later is readable. */
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { reply } from '../../../server/src/engine/environments/chat.ts';
import { printStepLine, type StepLine } from '../../../server/src/engine/evals/formats/step-lines.ts';
import { readRecords } from '../../../server/src/host/runs/read-run.ts';
import { openStepLog } from '../../../server/src/host/runs/step-log.ts';
import { newFolder } from '../../support/played-runs.ts';

const instance = { id: 'i', hash: 'sha256:0', split: 's', index: 0, groups: { n_hops: 2 }, minSteps: 4 };

function said(task: number, step: number, text: string): StepLine {
  return {
    type: 'event',
    task,
    attempt: 1,
    step,
    event: { ...reply(text), usage: { input: 1, output: 2 } },
    requests: 1,
    cached: false,
    time: 5,
    ms: 7,
  };
}

const lines: readonly StepLine[] = [
  { type: 'attempt', attempt: 1, time: 1, version: 'v', endpoint: 'http://127.0.0.1/v1' },
  { type: 'begin', task: 0, attempt: 1, rollout: 0, instance },
  said(0, 1, 'one\u2028two\u0085three\rfour\n"five" 😀 \ud800'),
  { type: 'begin', task: 1, attempt: 1, rollout: 1, instance },
  said(1, 1, 'x'),
  said(0, 2, 'END'),
];
const text = lines.map(printStepLine).join('');
const bytes = Buffer.from(text);

function quiet(sentence: string): never {
  throw new Error(sentence);
}

/** How many of the lines are whole in the first `length` bytes; a line feed is the only thing that may be missing. */
function wholeLines(length: number): number {
  const ends = lines.map(
    (_, i) =>
      Buffer.byteLength(
        lines
          .slice(0, i + 1)
          .map(printStepLine)
          .join(''),
      ) - 1,
  );
  return ends.filter((end) => end <= length).length;
}

test('cut at any byte', async () => {
  const folder = await newFolder();
  const file = path.join(folder, 'steps.jsonl');
  for (let length = 0; length <= bytes.length; length++) {
    await writeFile(file, bytes.subarray(0, length));
    const log = await openStepLog(folder, quiet);
    const whole = wholeLines(length);
    expect(await readFile(file, 'utf8')).toBe(lines.slice(0, whole).map(printStepLine).join(''));
    const next = lines[whole];
    if (next !== undefined) log.append(next);
    log.close();
    expect(await readFile(file, 'utf8')).toBe(
      lines
        .slice(0, whole + 1)
        .map(printStepLine)
        .join(''),
    );
  }
});

test('a reader leaves a line alone that is being written', async () => {
  const folder = await newFolder();
  const file = path.join(folder, 'steps.jsonl');
  await writeFile(file, bytes.subarray(0, bytes.length - 9));
  const records = await readRecords(folder, { problem: quiet });
  expect(records.map(({ events }) => events.length)).toEqual([1, 1]);
  expect(await readFile(file)).toEqual(bytes.subarray(0, bytes.length - 9));
});

test('damage in the middle is told, and costs what follows from it only', async () => {
  const folder = await newFolder();
  const file = path.join(folder, 'steps.jsonl');
  const damaged = [
    ...lines.slice(0, 2).map(printStepLine),
    '\0\0\0{"type":"event"\n',
    ...lines.slice(3).map(printStepLine),
  ];
  await writeFile(file, damaged.join(''));
  const told: string[] = [];
  const log = await openStepLog(folder, (sentence) => told.push(sentence));
  expect(told).toEqual([`${file} line 3 is not valid JSON.`]);
  // The second event of the first episode does not follow from anything: it has to be asked for again.
  expect(log.fold.get(0)?.events).toEqual([]);
  expect(log.fold.get(1)?.events.length).toBe(1);
  log.append(said(0, 1, 'again'));
  log.close();
  const records = await readRecords(folder);
  expect(records[0]?.events.map(({ event }) => event)).toEqual([
    { ...reply('again'), usage: { input: 1, output: 2 } },
  ]);
});

test('lines of a later version that mean nothing here are left out', async () => {
  const folder = await newFolder();
  const file = path.join(folder, 'steps.jsonl');
  await writeFile(file, text);
  await appendFile(file, '{"type":"mood","attempt":1,"task":0}\n\n{"type":"event"}\n[1]\n');
  const told: string[] = [];
  const log = await openStepLog(folder, (sentence) => told.push(sentence));
  log.close();
  expect(told.map((sentence) => sentence.replace(file, 'F'))).toEqual([
    'F line 7 is no line of a run.',
    'F line 9 is no line of a run.',
    'F line 10 is no line of a run.',
  ]);
  expect(log.fold.get(0)?.events.length).toBe(2);
});
