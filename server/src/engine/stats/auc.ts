/** How well a score separates two classes, whatever its scale. */

/**
 * Area under the ROC curve: the probability that a random row of the positive class scores above a random row
 * of the other, ties counting one half. This is the Mann-Whitney statistic with mean ranks over the number of
 * pairs; counted in halves it is an exact integer, so the result is the nearest double to the true value.
 *
 * `labels` are parallel to `scores`, non-zero meaning positive. Result 0 to 1; 0.5 if a class is empty.
 */
export function rankAuc(scores: ArrayLike<number>, labels: ArrayLike<number>): number {
  let positives = 0;
  for (let row = 0; row < scores.length; row++) if (labels[row]) positives++;
  const negatives = scores.length - positives;
  if (positives === 0 || negatives === 0) return 0.5;

  const high = new Float64Array(positives);
  const low = new Float64Array(negatives);
  let highs = 0;
  let lows = 0;
  for (let row = 0; row < scores.length; row++) {
    const score = scores[row] ?? Number.NaN;
    if (labels[row]) high[highs++] = score;
    else low[lows++] = score;
  }
  high.sort();
  low.sort();

  let halves = 0;
  let below = 0;
  let notAbove = 0;
  for (const score of high) {
    while (below < negatives && (low[below] ?? 0) < score) below++;
    while (notAbove < negatives && (low[notAbove] ?? 0) <= score) notAbove++;
    halves += below + notAbove;
  }
  return halves / 2 / (positives * negatives);
}
