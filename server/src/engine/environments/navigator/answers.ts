/** Whether an answer is the right one: the published matching rule, which is lenient about form, not about value. */
import { codeUnit } from '../../text/code-unit.ts';

const kelvinSign = 0x212a;
const dottedCapitalI = 0x130;

/**
 * The form in which answers and facts are compared: lower case, with everything deleted but `a`–`z` and `0`–`9`.
 * Letters and digits of other scripts vanish; the Kelvin sign and the dotted capital I are the only characters
 * outside ASCII whose lower case holds an ASCII letter, and leave `k` and `i`.
 */
export function normalizeAnswer(text: string): string {
  let kept = '';
  let copied = 0;
  for (let i = 0; i < text.length; i++) {
    const code = codeUnit(text, i);
    if ((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)) continue;
    // Whatever is kept as it is gets copied in runs, up to the next character that is not.
    if (copied < i) kept += text.slice(copied, i);
    copied = i + 1;
    if (code >= 0x41 && code <= 0x5a) kept += String.fromCharCode(code | 0x20);
    else if (code === kelvinSign) kept += 'k';
    else if (code === dottedCapitalI) kept += 'i';
  }
  return copied === 0 ? text : kept + text.slice(copied);
}

const digitsOnly = /^[0-9]+$/;
const digitRuns = /\p{Nd}+/gu;

/**
 * True when `prediction` gives `truth` or one of its `aliases`: their normalised forms are equal and not empty, or the
 * normalised truth is all digits and the prediction holds exactly one run of digits (ASCII commas taken out
 * before, digits of any script counted) that equals it. A prediction of null, no answer, never matches.
 */
export function answerMatches(
  prediction: string | null,
  truth: string,
  aliases: readonly string[] = [],
): boolean {
  if (prediction === null) return false;
  const given = normalizeAnswer(prediction);
  if (given === '') return false;
  return (
    matchesOne(prediction, given, truth) || aliases.some((alias) => matchesOne(prediction, given, alias))
  );
}

function matchesOne(prediction: string, given: string, truth: string): boolean {
  const wanted = normalizeAnswer(truth);
  if (wanted === '') return false;
  if (given === wanted) return true;
  if (!digitsOnly.test(wanted)) return false;
  const runs = prediction.replaceAll(',', '').match(digitRuns);
  return runs !== null && runs.length === 1 && runs[0] === wanted;
}
