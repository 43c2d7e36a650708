/**
 * An agent that goes by what was refused and what worked before. It says in its first reply what it takes the task for
 * and which course it takes; a method that keeps those words with their scores hands them back as context. Where the
 * documents' course failed of late on tasks with the same feature, it takes another: the one that worked, or one that
 * nobody has tried.
 */
import protocol from '../../../../../../prompts/serving/protocol.json' with { type: 'json' };
import { openStream } from '../../../random/stream.ts';
import { bankingCodes } from '../banking/decide.ts';
import { fill } from '../fill.ts';
import type { Instance } from '../instance.ts';
import { composePitch } from '../pitch/tasks.ts';
import { documentedPlan, type Plan, retailPlan } from '../plan.ts';
import { documentedRetail, enforcedRetail } from '../retail/policy.ts';
import type { State } from '../state.ts';
import { planned } from './calls.ts';
import { featuresOf } from './features.ts';
import { readTrials, type Trial } from './trials.ts';

const documents = 'documents';

/** Courses that differ from the documents', in the order in which they are likely. */
function otherCourses({ domain }: Instance, plan: Plan, features: readonly string[]): string[] {
  if (domain === 'retail') {
    if (plan.finish.decision !== undefined) return ['permit'];
    const codes = ['service_not_offered', 'invalid_status', 'destination_not_allowed'];
    const refusals = codes.map((code) => `refuse ${code}`);
    const isMoney = features.some((it) => it.startsWith('gift card pays'));
    return isMoney ? ['permit', ...refusals] : refusals;
  }
  const isTransfer = features.some((it) => it.startsWith('PAY-'));
  const codes = isTransfer
    ? ['deny restricted_payee', 'escalate new_payee_review', 'escalate reportable_amount']
    : features.some((it) => it.startsWith('limit'))
      ? ['deny cap_exceeded']
      : ['escalate over_limit', 'deny corridor_blocked', 'deny verification_required', 'escalate daily_cap'];
  return ['approve', ...codes].filter(
    (course) => bankingCodes.some((code) => course.endsWith(code)) || course === 'approve',
  );
}

/** What a course comes to. */
function planFor(instance: Instance, course: string): Plan {
  const own = documentedPlan(instance);
  if (course === documents) return own;
  const [verb = '', code = ''] = course.split(' ');
  if (instance.own.domain === 'retail') {
    if (verb === 'permit') {
      const { perItem } = documentedRetail(instance.tier);
      return retailPlan(instance, { ...enforcedRetail(instance.tier), perItem });
    }
    if (instance.own.request?.quote != null) return { actions: [], finish: { answer: '0' } };
    return { actions: [], finish: { decision: 'refuse', reason: code } };
  }
  if (instance.own.domain !== 'banking') return own;
  const { case_id } = instance.own.case;
  const kwargs = verb === 'approve' ? { case_id } : { case_id, reason: code };
  return { actions: [{ name: `${verb}_case`, kwargs }], finish: {} };
}

function chooseCourse(instance: Instance, trials: readonly Trial[], seed: string): string {
  const plan = documentedPlan(instance);
  for (const feature of featuresOf(instance)) {
    const own = trials.filter((trial) => trial.features.includes(feature)).slice(-8);
    const failed = lastTime(own, documents, false);
    if (failed < 0 || failed < lastTime(own, documents, true)) continue;
    const courses = otherCourses(instance, plan, featuresOf(instance));
    const worked = courses
      .map((course) => ({ course, at: lastTime(own, course, true), failed: lastTime(own, course, false) }))
      .filter((it) => it.at >= 0 && it.at >= it.failed)
      .sort((a, b) => b.at - a.at);
    if (worked[0] !== undefined) return worked[0].course;
    const untried = courses.filter((course) => lastTime(own, course, false) < 0);
    // Nothing else is left: what was true once may be true again.
    if (untried.length === 0) return documents;
    return openStream('remembering', seed, instance.id).pick(untried);
  }
  return documents;
}

/** When a course was taken with that result for the last time; −1 for never. */
function lastTime(trials: readonly Trial[], course: string, worked: boolean): number {
  return trials.reduce(
    (last, it) => (it.course === course && it.worked === worked ? Math.max(last, it.time) : last),
    -1,
  );
}

/** Pitches mention what has gone well in the mean. */
function choosePitch(instance: Instance, trials: readonly Trial[]): { plan: Plan; said: string } {
  const { own } = instance;
  if (own.domain !== 'pitch') return { plan: documentedPlan(instance), said: '' };
  const recent = trials.slice(-60);
  const value = (feature: string) => {
    const mean = (list: readonly Trial[]) =>
      list.reduce((sum, { score }) => sum + score, 0) / (list.length || 1);
    return (
      mean(recent.filter((it) => it.features.includes(feature))) -
      mean(recent.filter((it) => it.absent.includes(feature)))
    );
  };
  const stream = openStream('remembering', instance.id);
  const ranked = own.sheet.facts
    .map((fact) => ({ fact, worth: value(`${fact.attribute} ${fact.value}`) + (stream.unit() - 0.5) * 8 }))
    .sort((a, b) => b.worth - a.worth);
  const facts = ranked.filter(({ worth }, at) => at === 0 || worth > 0).map(({ fact }) => fact);
  const said = facts.map(({ attribute, value: it }) => `${attribute} ${it}`);
  const left = own.sheet.facts
    .filter((fact) => !facts.includes(fact))
    .map((it) => `without ${it.attribute} ${it.value}`);
  return {
    plan: { actions: [], finish: { pitch: composePitch(own.sheet, facts) } },
    said: fill(protocol.policies.plan, { key: [...said, ...left].join('; '), course: 'pitch' }),
  };
}

export const remembering = planned(
  'remembering',
  'Follows the documents until they failed on tasks of a kind, then what worked there; learns through a method that keeps its words.',
  false,
  (state: State, seed) => {
    const { instance, options } = state;
    const trials = readTrials(options.context);
    if (instance.domain === 'pitch') return choosePitch(instance, trials);
    const course = chooseCourse(instance, trials, seed);
    const key = featuresOf(instance).join('; ');
    return { plan: planFor(instance, course), said: fill(protocol.policies.plan, { key, course }) };
  },
);
