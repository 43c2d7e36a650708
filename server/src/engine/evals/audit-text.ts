/** An audit in words. */
import type { AuditReport } from '../environments/environment.ts';
import { counted, fixed } from '../text/numbers.ts';

/** One sentence about an audit of that many instances. */
export function auditVerdict(report: AuditReport, instances: number): string {
  const about = `Audit of ${counted(instances, 'instance')} (${counted(report.rows, 'chunk')})`;
  const gate = `0.5 ± ${report.tolerance}`;
  if (report.passed) return `${about}: passed, every gated figure within ${gate}.`;
  const violations = report.figures.filter((figure) => figure.violated);
  const list = violations.map(({ pool, feature, auc }) => `${feature} in ${pool} (${fixed(auc)})`).join(', ');
  return `${about}: failed, outside ${gate}: ${list}.`;
}

/** Every figure on a line of its own, in columns. */
export function auditLines({ figures }: AuditReport): string[] {
  const width = (of: (figure: (typeof figures)[number]) => string) =>
    Math.max(0, ...figures.map((figure) => of(figure).length));
  const pools = width(({ pool }) => pool);
  const features = width(({ feature }) => feature);
  return figures.map(({ pool, feature, auc, gated, violated }) => {
    const verdict = violated ? 'violated' : gated ? 'ok' : 'not gated';
    return `${pool.padEnd(pools)}  ${feature.padEnd(features)}  ${fixed(auc)}  ${verdict}`;
  });
}
