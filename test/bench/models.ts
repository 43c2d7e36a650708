/** What a model client adds to the package it asks through: the same requests to an endpoint that answers at once. */
import OpenAI from 'openai';
import { systemClock } from '../../server/src/host/models/clock.ts';
import { openModel } from '../../server/src/host/models/open-model.ts';
import { startEndpoint } from './endpoint.ts';
import { atMost, median, type Row } from './measure.ts';

const requests = 300;
const concurrency = 64;
const rounds = 9;

/** As long as a step prompt usually is. */
const messages = [
  { role: 'system', content: 'Answer with one action. '.repeat(40) },
  { role: 'user', content: 'Project Register, Amber Finch – Coral Gull (300 tokens). '.repeat(70) },
] as const;

export async function modelRows(): Promise<Row[]> {
  const { baseUrl, close } = await startEndpoint();
  const bare = new OpenAI({ baseURL: baseUrl, apiKey: 'none', maxRetries: 0 });
  const { signal } = new AbortController();
  const model = openModel({ model: 'm', baseUrl, concurrency }, { clock: systemClock, signal });
  const request = { messages, sampling: { temperature: 0.8, max_tokens: 512 } };
  const body = { model: 'm', messages: [...messages], temperature: 0.8, max_tokens: 512 };
  const units: number[] = [];
  const subjects: number[] = [];
  for (let round = -2; round < rounds; round++) {
    const unit = await time(() => bare.chat.completions.create(body));
    const subject = await time(() => model.complete(request, signal));
    if (round < 0) continue;
    units.push(unit);
    subjects.push(subject);
  }
  await close();
  const what = `${requests} requests to an instant endpoint, ${concurrency} at a time, to the openai package alone`;
  return [atMost(what, median(subjects) / median(units), 1.3, '×')];
}

/** Ms for all requests, each of the parallel loops asking for one reply after the other. */
async function time(ask: () => PromiseLike<unknown>): Promise<number> {
  let left = requests;
  const loop = async () => {
    while (left-- > 0) await ask();
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: concurrency }, loop));
  return performance.now() - start;
}
