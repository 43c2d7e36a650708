/** Whether a record is sound, down to its own grader: the ideal output must win, lossy ones and copies must not. */
import { contentOf, distinctContents, prefixOf } from './fidelity.ts';
import type { Instance } from './instance.ts';
import { locate } from './locate.ts';
import { compress } from './reference.ts';
import { estimateTokens, scaleOf, scoreCandidate } from './scoring.ts';

/** How far a recorded ideal ratio may be from the true one: half of its last digit, and what a division loses. */
const roundingError = 0.5e-4 + 1e-9;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const disputedSpace = /[\x1c-\x1f\x85\ufeff]/;

/** Reason codes in the order of the checks; empty when the record is sound. */
export function validate(instance: Instance): readonly string[] {
  if (instance.critical.length === 0) return ['no_critical_lines'];
  return [...textReasons(instance), ...ratioReasons(instance), ...graderReasons(instance)];
}

function textReasons({ raw, critical, prefix_regex }: Instance): string[] {
  const prefix = prefixOf({ prefix_regex });
  const lines = raw.split('\n');
  const reasons: string[] = [];
  for (const { line, text } of critical) {
    if (lines[line - 1] !== text) reasons.push(`line_mismatch:${line}`);
    const content = contentOf(text, prefix);
    if (content === '') reasons.push(`empty_content:${line}`);
    else if (contentOf(content, prefix) !== content) reasons.push(`prefix_twice:${line}`);
  }
  if (disputedSpace.test(raw)) reasons.push('white_space');
  return reasons;
}

function ratioReasons(instance: Instance): string[] {
  const { id, raw, reference_ratio, ideal_ratio } = instance;
  const rawTokens = estimateTokens(raw);
  const reasons: string[] = [];
  const ideal = estimateTokens(distinctContents(instance).join('\n')) / rawTokens;
  if (Math.abs(ideal_ratio - ideal) > roundingError) reasons.push('ideal_ratio_mismatch');
  const origin = locate(id);
  if (origin === null) return reasons;
  const lossy = origin.options['lossy_reference'] === true;
  const reference = compress(raw, { lossy });
  if (estimateTokens(reference) / rawTokens !== reference_ratio) reasons.push('reference_ratio_mismatch');
  if (!lossy && scoreCandidate(instance, reference).missing.length > 0) reasons.push('reference_unfaithful');
  return reasons;
}

function graderReasons(instance: Instance): string[] {
  const contents = distinctContents(instance);
  const reasons: string[] = [];
  const { branch, span } = scaleOf(instance.reference_ratio, instance.ideal_ratio);
  const ideal = scoreCandidate(instance, contents.join('\n'));
  // The rounded ratio may lie above or below the true one by so much, which counts for more on a short scale.
  const tolerance = roundingError / span + 1e-9;
  const isNear = branch === 'floor' ? true : ideal.score >= 1 - tolerance;
  if (ideal.missing.length > 0 || !isNear) reasons.push('grader_rejects_ideal');
  const acceptsLoss = lossesToTry(contents).some((left) => {
    const output = contents.filter((_, at) => at !== left).join('\n');
    return scoreCandidate(instance, output).reward !== 0;
  });
  if (acceptsLoss) reasons.push('grader_accepts_loss');
  if (instance.reference_ratio <= 1 && scoreCandidate(instance, instance.raw).reward > 0) {
    reasons.push('grader_rewards_copy');
  }
  return reasons;
}

/** Losses that the grader is asked about. Each takes time by the length of the log, so of very many only some are tried. */
const mostLosses = 32;

/** Which contents are left out, one at a time: all of them, or some that are spread evenly when there are too many. */
function lossesToTry({ length }: readonly string[]): readonly number[] {
  const tried = Math.min(length, mostLosses);
  return Array.from({ length: tried }, (_, at) => Math.floor((at * length) / tried));
}
