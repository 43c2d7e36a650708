/**
 * The population audit: over many instances, no surface feature of a chunk may tell where the evidence is. A bias
 * that no single instance shows, such as answers in slightly longer chunks, is one that a model will learn.
 */
import { rankAuc } from '../../stats/auc.ts';
import { heldOutAuc } from '../../stats/logistic.ts';
import type { AuditFigure, AuditReport, PopulationAudit } from '../environment.ts';
import type { Instance } from './instance.ts';
import { type SurfaceRow, surfaceRows } from './surface.ts';

/** A gated figure may lie this far from 0.5 (where a feature tells nothing), not further. */
const tolerance = 0.06;

const gatedFeatures = ['pos_global', 'pos_in_section', 'length', 'n_entries'] as const;

/** A set of rows and the class in it that the features must not tell apart. */
interface Pool {
  readonly id: string;
  /**
   * Whether likeness to the question is gated too. Not over all registers: the chunk that names the anchor is
   * evidence and looks like the question by design.
   */
  readonly overlapGated: boolean;
  holds(row: SurfaceRow): boolean;
  isTarget(row: SurfaceRow): boolean;
}

const pools: readonly Pool[] = [
  {
    id: 'evidence_all_register',
    overlapGated: false,
    holds: () => true,
    isTarget: (row) => row.is_evidence,
  },
  {
    id: 'answer_within_section',
    overlapGated: false,
    holds: (row) => row.in_answer_section,
    isTarget: (row) => row.is_answer,
  },
  {
    id: 'answer_within_section_multihop',
    overlapGated: true,
    holds: (row) => row.in_answer_section && row.n_hops >= 2,
    isTarget: (row) => row.is_answer,
  },
];

/** The audit of `hopscope audit`. Under a few hundred instances a sound population fails it by chance. */
export const audit: PopulationAudit<Instance> = { minimum: 300, rows: surfaceRows, report: auditRows };

/**
 * Figures for every pool that has rows: the AUC of each feature alone and, as `logreg_gated_features`, of a
 * cross-validated logistic regression on the gated ones together. No rows at all pass.
 *
 * @param rows of all instances in order; the order decides the folds of the regression.
 */
export function auditRows(rows: readonly SurfaceRow[]): AuditReport {
  const figures = pools.flatMap((pool) => poolFigures(pool, rows.filter(pool.holds)));
  return {
    passed: !figures.some((figure) => figure.violated),
    tolerance,
    rows: rows.length,
    figures,
  };
}

function poolFigures(pool: Pool, rows: readonly SurfaceRow[]): readonly AuditFigure[] {
  if (rows.length === 0) return [];
  const labels = Uint8Array.from(rows, (row) => (pool.isTarget(row) ? 1 : 0));
  const column = (feature: (typeof gatedFeatures)[number] | 'overlap'): Float64Array =>
    Float64Array.from(rows, (row) => row[feature]);
  const figure = (feature: string, auc: number, gated: boolean): AuditFigure => ({
    pool: pool.id,
    feature,
    auc,
    gated,
    violated: gated && Math.abs(auc - 0.5) > tolerance,
  });

  const columns = gatedFeatures.map(column);
  return [
    ...gatedFeatures.map((feature, at) => figure(feature, rankAuc(columns[at] ?? [], labels), true)),
    figure('overlap', rankAuc(column('overlap'), labels), pool.overlapGated),
    figure('logreg_gated_features', heldOutAuc(columns, labels), true),
  ];
}
