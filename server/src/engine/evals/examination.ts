/** What an examination of many instances found, and how it is told: are they sound, does anything give them away? */
import type { AuditReport } from '../environments/environment.ts';
import { counted, grouped } from '../text/numbers.ts';
import { auditLines, auditVerdict } from './audit-text.ts';

/** An instance that the validator rejects. */
export interface Unsound {
  readonly id: string;
  /** Reason codes, at least one. */
  readonly reasons: readonly string[];
}

export interface Findings {
  /** What was examined, e.g. `id_test` or `train.jsonl`. */
  readonly label: string;
  /** Instances that could be read, the unsound ones included. */
  readonly instances: number;
  readonly unsound: readonly Unsound[];
  /** Sentences about lines and indices that gave no instance. */
  readonly problems: readonly string[];
  /** Over the sound ones; null when no audit was asked for or there was nothing to audit. */
  readonly audit: { readonly report: AuditReport; readonly minimum: number } | null;
}

/** What a person is told. */
export interface Examination {
  /** Everything is as it should be. */
  readonly passed: boolean;
  readonly sentence: string;
  /** All there is to say, a line each; the sentence is not among them. */
  readonly lines: readonly string[];
}

/** Problems and unsound instances listed one by one; of more only the number is told. */
const LISTED = 50;

export function describeFindings(findings: Findings): Examination {
  const { label, instances, unsound, problems, audit } = findings;
  const lines = [
    ...listed(unsound.map(({ id, reasons }) => `${id} is not sound: ${reasons.join(', ')}`)),
    ...listed(problems),
  ];
  const isSound = unsound.length === 0 && problems.length === 0;
  if (audit === null) return { passed: isSound && instances > 0, sentence: soundness(findings), lines };
  const { report, minimum } = audit;
  const sound = instances - unsound.length;
  const verdict = `${label}: ${auditVerdict(report, sound)}`;
  const left = isSound ? [] : [`${soundness(findings)} Those were left out.`];
  const small = `Sets of fewer than ${counted(minimum, 'instance')} fail by chance: audit more of them.`;
  const chance = report.passed || sound >= minimum ? [] : [small];
  return {
    passed: report.passed && isSound,
    sentence: [verdict, ...left, ...chance].join(' '),
    lines: [...auditLines(report), ...lines],
  };
}

function soundness({ label, instances, unsound, problems }: Findings): string {
  const unread =
    problems.length === 0
      ? ''
      : `, and ${problems.length === 1 ? '1 problem' : `${problems.length} problems`} kept others from being read`;
  if (instances === 0) return `There is no instance in ${label}${unread}.`;
  if (unsound.length > 0) {
    return `${unsound.length} of ${counted(instances, 'instance')} of ${label} ${unsound.length === 1 ? 'is' : 'are'} not sound${unread}.`;
  }
  return `${counted(instances, 'instance')} of ${label} ${instances === 1 ? 'is' : 'are'} sound${unread}.`;
}

function listed(lines: readonly string[]): string[] {
  const more = lines.length - LISTED;
  return more > 0 ? [...lines.slice(0, LISTED), `… and ${grouped(more)} more`] : [...lines];
}
