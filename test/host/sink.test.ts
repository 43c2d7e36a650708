import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  createReadStream,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../server/src/host/failure.ts';
import { BrokenPipe, fileSink, streamSink } from '../../server/src/host/sink.ts';

const folder = mkdtempSync(join(tmpdir(), 'hopscope-'));

describe('fileSink', () => {
  it('shows the file only when it is whole', async () => {
    const path = join(folder, 'whole.jsonl');
    const sink = await fileSink(path);
    await sink.write('a\n');
    await sink.write(Buffer.from('b\n'));
    expect(existsSync(path)).toBe(false);
    await sink.close();
    await sink.discard();
    expect(readFileSync(path, 'utf8')).toBe('a\nb\n');
  });

  it('leaves an older file alone and no traces when it is discarded', async () => {
    const home = join(folder, 'older');
    mkdirSync(home);
    const path = join(home, 'old.jsonl');
    writeFileSync(path, 'old');
    const sink = await fileSink(path);
    await sink.write('new');
    await sink.discard();
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(home)).toEqual(['old.jsonl']);
  });

  it.each([
    ['a file', (home: string) => writeFileSync(join(home, 'target'), 'old')],
    ['nothing yet', () => undefined],
    ['another link', (home: string) => symlinkSync('end', join(home, 'target'))],
  ])('writes through a link to %s', async (_, prepare) => {
    const home = mkdtempSync(join(folder, 'link-'));
    prepare(home);
    const path = join(home, 'link');
    symlinkSync('target', path);
    const sink = await fileSink(path);
    await sink.write('new');
    await sink.close();
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readdirSync(home).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('keeps the mode of a file that is there', async () => {
    const path = join(folder, 'mode');
    writeFileSync(path, 'old');
    chmodSync(path, 0o640);
    const sink = await fileSink(path);
    await sink.write('new');
    await sink.close();
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it('does not follow links in a circle', async () => {
    const path = join(folder, 'circle');
    symlinkSync('circle', path);
    await expect(fileSink(path)).rejects.toThrow(`Cannot write ${path}: its links lead in a circle.`);
  });

  it('writes to devices directly', async () => {
    const link = join(folder, 'device');
    symlinkSync('/dev/null', link);
    for (const path of ['/dev/null', link]) {
      const sink = await fileSink(path);
      await sink.write('a');
      await sink.close();
    }
    expect(statSync(link).isCharacterDevice()).toBe(true);
  });

  it('waits for the reader of a pipe, and writes all of it', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const opening = fileSink(path);
    const read = text(createReadStream(path));
    const sink = await opening;
    await sink.write('a'.repeat(200_000));
    await sink.write('b');
    await sink.close();
    expect(await read).toBe(`${'a'.repeat(200_000)}b`);
  });

  it('does not wait for it longer than its signal allows', async () => {
    const path = join(folder, 'unread');
    execFileSync('mkfifo', [path]);
    const controller = new AbortController();
    const opening = fileSink(path, controller.signal);
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(opening).rejects.toBe(reason);
  });

  it('knows when the reader of a pipe has gone', async () => {
    const path = join(folder, 'left');
    execFileSync('mkfifo', [path]);
    const opening = fileSink(path);
    const reader = await open(path, 'r');
    const sink = await opening;
    await reader.close();
    await expect(sink.write('a')).rejects.toBeInstanceOf(BrokenPipe);
  });

  it.each([
    [folder, 'it is a folder; name a file'],
    [join(folder, 'no', 'where.jsonl'), 'there is no such file or folder; check the path'],
  ])('says why it cannot write %s', async (path, why) => {
    const failure = await fileSink(path).catch((error) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure.message).toBe(`Cannot write ${path}: ${why}.`);
  });

  it('says when the disk is full', async () => {
    const sink = await fileSink('/dev/full');
    await expect(sink.write('a')).rejects.toThrow(
      'Cannot write /dev/full: the disk is full; make room and try again.',
    );
    await sink.discard();
  });
});

describe('streamSink', () => {
  const failing = (code: string) =>
    new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) });

  it('waits until the stream has taken the data', async () => {
    const released: (() => void)[] = [];
    const stream = new Writable({ write: (_chunk, _encoding, done) => void released.push(done) });
    let written = false;
    const write = streamSink(stream)
      .write('a')
      .then(() => {
        written = true;
      });
    await new Promise(setImmediate);
    expect(written).toBe(false);
    released[0]?.();
    await write;
    expect(written).toBe(true);
  });

  it('tells a reader that has gone from other errors', async () => {
    await expect(streamSink(failing('EPIPE')).write('a')).rejects.toBeInstanceOf(BrokenPipe);
    await expect(streamSink(failing('ENOSPC')).write('a')).rejects.toBeInstanceOf(Failure);
  });
});
