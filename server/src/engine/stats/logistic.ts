/**
 * Logistic regression by plain gradient descent, scored on rows it was not fitted to.
 *
 * It is an instrument, not a model: it shows whether surface features together tell the classes apart where
 * none does so alone. Every choice (no penalty, zero start, fixed steps and rate) is the published audit's, so
 * that its verdicts can be compared.
 */
import { rankAuc } from './auc.ts';

const steps = 300;
const rate = 0.1;
const folds = 2;
const leastRows = 10;
/** Keeps a constant feature at zero instead of dividing by zero. */
const leastDeviation = 1e-9;

/**
 * AUC of two-fold cross-validated predictions: rows of even position are scored by the model fitted to those of
 * odd position and the reverse, and all scores are ranked together.
 *
 * `columns` are the features, each as long as `labels`; non-zero labels are the positive class. Features are
 * standardised over all rows. Result 0 to 1; 0.5 for fewer than 10 rows or a single class.
 */
export function heldOutAuc(columns: readonly ArrayLike<number>[], labels: ArrayLike<number>): number {
  const rows = labels.length;
  let positives = 0;
  for (let row = 0; row < rows; row++) if (labels[row]) positives++;
  if (rows < leastRows || positives === 0 || positives === rows) return 0.5;

  const table = standardise(columns, rows);
  const scores = new Float64Array(rows);
  for (let fold = 0; fold < folds; fold++) {
    const weights = fitWeights(table, columns.length, labels, 1 - fold);
    for (let row = fold; row < rows; row += folds) scores[row] = logit(table, row, weights);
  }
  return rankAuc(scores, labels);
}

/** The columns as one row-major table, each with mean 0 and population deviation 1. */
function standardise(columns: readonly ArrayLike<number>[], rows: number): Float64Array {
  const width = columns.length;
  const table = new Float64Array(rows * width);
  columns.forEach((column, feature) => {
    let sum = 0;
    for (let row = 0; row < rows; row++) sum += column[row] ?? 0;
    const centre = sum / rows;
    let squares = 0;
    for (let row = 0; row < rows; row++) squares += ((column[row] ?? 0) - centre) ** 2;
    const deviation = Math.sqrt(squares / rows) + leastDeviation;
    for (let row = 0; row < rows; row++) {
      table[row * width + feature] = ((column[row] ?? 0) - centre) / deviation;
    }
  });
  return table;
}

/** Weights, the intercept last, fitted by full-batch descent to every second row from `first` on. */
function fitWeights(
  table: Float64Array,
  width: number,
  labels: ArrayLike<number>,
  first: number,
): Float64Array {
  const weights = new Float64Array(width + 1);
  const gradient = new Float64Array(width + 1);
  const count = Math.ceil((labels.length - first) / folds);
  for (let step = 0; step < steps; step++) {
    gradient.fill(0);
    for (let row = first; row < labels.length; row += folds) {
      const error = 1 / (1 + Math.exp(-logit(table, row, weights))) - (labels[row] ? 1 : 0);
      const at = row * width;
      for (let feature = 0; feature < width; feature++) {
        gradient[feature] = (gradient[feature] ?? 0) + error * (table[at + feature] ?? 0);
      }
      gradient[width] = (gradient[width] ?? 0) + error;
    }
    for (let feature = 0; feature <= width; feature++) {
      weights[feature] = (weights[feature] ?? 0) - (rate * (gradient[feature] ?? 0)) / count;
    }
  }
  return weights;
}

/** The log-odds of one row. Ranking needs no more: the probability rises with it. */
function logit(table: Float64Array, row: number, weights: Float64Array): number {
  const width = weights.length - 1;
  let sum = weights[width] ?? 0;
  for (let feature = 0; feature < width; feature++) {
    sum += (table[row * width + feature] ?? 0) * (weights[feature] ?? 0);
  }
  return sum;
}
