/**
 * Replies kept on disk, so that asking the same again costs nothing. One small file a reply, named by the hash of
 * everything that decides what the reply may be. Holds no key.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Reply } from '../../engine/environments/chat.ts';
import { explain } from '../failure.ts';
import { isRecord } from '../jsonl.ts';
import { makeFolder } from '../make-folder.ts';

/** What decides the reply: where it was asked, all that was sent, and which of several samples it is. */
export interface CacheQuestion {
  readonly baseUrl: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly rollout: number;
}

export interface ReplyCache {
  /** The reply that is kept; undefined when there is none or its file is damaged. */
  get(question: CacheQuestion): Promise<Reply | undefined>;
  /** Keeps a reply. A cache that cannot be written is told of once and not tried again; nothing fails by it. */
  put(question: CacheQuestion, reply: Reply): Promise<void>;
}

/** Raised when the files change, so that old ones are not read any more. */
const format = 1;

/**
 * @param folder made when the first reply is kept
 * @param problem told in one sentence when the folder cannot be written
 */
export function openCache(folder: string, problem: (sentence: string) => void): ReplyCache {
  let isBroken = false;
  const fileOf = (question: CacheQuestion) => {
    const hash = createHash('sha256')
      .update(canonical({ format, ...question }))
      .digest('hex');
    return path.join(folder, hash.slice(0, 2), `${hash}.json`);
  };
  return {
    async get(question) {
      try {
        const kept: unknown = JSON.parse(await readFile(fileOf(question), 'utf8'));
        return isReply(kept) ? kept : undefined;
      } catch {
        return undefined;
      }
    },
    async put(question, reply) {
      if (isBroken) return;
      const file = fileOf(question);
      const draft = `${file}.${randomUUID()}`;
      try {
        makeFolder(path.dirname(file));
        await writeFile(draft, JSON.stringify(reply), { mode: 0o600 });
        await rename(draft, file);
      } catch (error) {
        await rm(draft, { force: true }).catch(() => undefined);
        // Some systems do not replace a file while it is read; what is there is a reply to the same question.
        if (isBroken || existsSync(file)) return;
        isBroken = true;
        problem(`Replies are not cached any more: cannot write to ${folder}: ${explain(error)}.`);
      }
    },
  };
}

/** JSON with the keys of every object in order, so that equal values give equal texts. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

function isReply(value: unknown): value is Reply {
  return isRecord(value) && value['kind'] === 'reply' && typeof value['text'] === 'string';
}
