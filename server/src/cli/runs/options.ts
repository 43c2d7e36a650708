/** Options of commands that ask models: where they are, how they are driven, and what the run may use up. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { extraBodyProblem } from '../../engine/evals/check-sampling.ts';
import { limitProblem, type SpendLimits } from '../../engine/evals/spending.ts';
import { isRecord } from '../../host/jsonl.ts';
import { addOption, type RawOptions, wholeNumber } from '../arguments.ts';
import { type WorkersChoice, withWorkers } from '../instances/selection.ts';

/** How a model is reached and driven: nothing of it belongs to the identity of a run. */
export interface ModelChoice extends WorkersChoice {
  readonly baseUrl?: string;
  readonly concurrency: number;
  /** Seconds. */
  readonly timeout: number;
  readonly tries?: number;
  /** Whether what answers instead of an endpoint is taken for a passing trouble. */
  readonly retryGarbled?: boolean;
  readonly cache?: string;
  readonly cacheAll?: boolean;
  readonly prices?: string;
  readonly limit?: SpendLimits;
  readonly untilDecided?: boolean;
  readonly untilEof?: boolean;
  readonly json?: boolean;
}

/** Most requests at once; more only fill queues. */
const maxConcurrency = 1024;

/** Adds them. */
export function withModel(command: Command): Command {
  return withWorkers(
    command
      .option(
        '--base-url <url>',
        'where the OpenAI-compatible endpoint is, or the name of a preset: ollama, lm-studio, llama.cpp, vllm, openai',
      )
      .addOption(
        new Option('-c, --concurrency <n>', 'episodes played at the same time')
          .argParser(wholeNumber(1, maxConcurrency))
          .default(32),
      )
      .addOption(
        new Option('--timeout <seconds>', 'longest time for one request')
          .argParser(wholeNumber(1, 86_400))
          .default(300),
      )
      .addOption(
        new Option(
          '--tries <n>',
          'how often a request is sent before it counts as failed (default: 5, in streams 9)',
        ).argParser(wholeNumber(1, 100)),
      )
      .option('--cache <folder>', 'keep replies there, and take those that are there, at temperature 0')
      .option('--cache-all', 'the same at any temperature; rollouts are kept apart')
      .option(
        '--prices <file>',
        'JSON table of prices: { "model": { "input": …, "output": … } }, $ a million tokens',
      )
      .addOption(
        new Option(
          '--limit <kind=number>',
          'send nothing more once so many requests, tokens or dollars are used; repeatable',
        ).argParser(addLimit),
      )
      .addOption(new Option('--until-eof', 'stop as well when standard input ends').hideHelp())
      .option(
        '--json',
        'lines of JSON: {"start": …} for each run, {"episode": …} for each episode, {"done": …}',
      ),
  );
}

function addLimit(text: string, before: SpendLimits | undefined): SpendLimits {
  const [, kind, number] = /^(requests|tokens|dollars)=([\d.,_e]+)$/.exec(text) ?? [];
  if (kind === undefined || number === undefined) {
    throw new InvalidArgumentError('Write limits as requests=1000, tokens=2000000 or dollars=5.');
  }
  const limits = { ...before, [kind]: Number(number.replace(/[,_]/g, '')) };
  // Whether there is a price is known when the table has been read.
  const problem = limitProblem(limits, { input: 0, output: 0 }, '');
  if (problem !== null) throw new InvalidArgumentError(problem);
  return limits;
}

/** A parser of `key=value` for sampling; whether it is legal is checked with the rest of it. */
export function addSampling(text: string, before: RawOptions | undefined): RawOptions {
  return addOption(text, before);
}

/** A parser of the extra body of requests, a JSON object. */
export function extraBody(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It is no valid JSON.');
  }
  if (isRecord(value)) {
    const problem = extraBodyProblem(value);
    if (problem === null) return value;
    throw new InvalidArgumentError(problem);
  }
  throw new InvalidArgumentError('Give a JSON object such as {"reasoning": {"effort": "low"}}.');
}
