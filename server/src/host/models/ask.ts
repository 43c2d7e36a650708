/** One attempt: sends a request and reads the answer to its end. */
import type { Reply } from '../../engine/environments/chat.ts';
import type { ModelDelta, ModelRequest } from '../../engine/evals/model.ts';
import { AttemptError, type AttemptFailure } from './attempt.ts';
import { readText } from './body.ts';
import { type Read, readCompletion } from './completion.ts';
import { readCompletionStream } from './completion-stream.ts';
import { type Deadline, withDeadline } from './deadline.ts';
import { readEvents, TooLong } from './events.ts';
import type { Incoming, Transport } from './transport.ts';

/** The body of a chat request, as plain JSON. */
export type Body = Readonly<Record<string, unknown>>;

/** Longest answer that is read, in bytes: a few hundred thousand tokens as events, each in a JSON object of its own. */
const longestAnswer = 64 * 2 ** 20;

/** `shown`: whether pieces of the failed answer have been given. */
export type Answer =
  | { readonly reply: Reply }
  | { readonly failure: AttemptFailure; readonly shown: boolean };

/** Makes one attempt. Never rejects; after it has ended no piece is shown any more. */
export async function ask(
  transport: Transport,
  body: Body,
  request: ModelRequest,
  deadline: Deadline,
): Promise<Answer> {
  let shown = false;
  const read = await withDeadline<Read>(deadline, async (signal) => {
    const asked = request.stream === undefined ? body : streamed(body);
    const incoming = await transport.send('post', '/chat/completions', asked, signal);
    return await readAnswer(incoming, (delta) => {
      if (signal.aborted) return;
      shown = true;
      request.stream?.(delta);
    });
  });
  return 'reply' in read ? read : { failure: read.failure, shown };
}

/** The body for an answer in pieces; an endpoint tells the usage of those only when it is asked to. */
function streamed(body: Body): Body {
  const options = 'stream_options' in body ? {} : { stream_options: { include_usage: true } };
  return { ...body, stream: true, ...options };
}

async function readAnswer(incoming: Incoming, show: (delta: ModelDelta) => void): Promise<Read> {
  const { headers, body } = incoming;
  if (Number(headers.get('content-length')) > longestAnswer) throw new AttemptError(tooLarge);
  const isStream = /^\s*text\/event-stream/i.test(headers.get('content-type') ?? '');
  if (isStream) return await readPieces(incoming, show);
  const text = await readText(body, longestAnswer);
  if (text === null) throw new AttemptError(tooLarge);
  const read = readCompletion(text);
  // Endpoints that cannot stream answer in one piece all the same.
  if ('reply' in read) {
    if (read.reply.reasoning !== undefined) show({ reasoning: read.reply.reasoning });
    if (read.reply.text !== '') show({ text: read.reply.text });
  }
  return read;
}

async function readPieces({ body }: Incoming, show: (delta: ModelDelta) => void): Promise<Read> {
  try {
    return await readCompletionStream(readEvents(body, longestAnswer), show);
  } catch (error) {
    throw error instanceof TooLong ? new AttemptError(tooLarge) : error;
  }
}

const tooLarge: AttemptFailure = {
  code: 'too-large',
  message: `The answer is longer than ${longestAnswer / 2 ** 20} MB.`,
  retriable: false,
};
