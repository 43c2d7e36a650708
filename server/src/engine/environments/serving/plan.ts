/** What an agent that has understood its task would do under given rules: the calls of tools and the finish. */
import { decideBanking } from './banking/decide.ts';
import { type BankingPolicy, bankingPractice, documentedBanking } from './banking/policy.ts';
import type { Action } from './evaluator.ts';
import type { Finish } from './finish.ts';
import type { Instance } from './instance.ts';
import { composePitch } from './pitch/tasks.ts';
import { weigh } from './pitch/tastes.ts';
import { isOurs } from './published/playable.ts';
import { decideRetail } from './retail/decide.ts';
import { documentedRetail, type RetailPolicy, retailPractice } from './retail/policy.ts';
import { openWorld } from './toolbox.ts';

export interface Plan {
  readonly actions: readonly Action[];
  readonly finish: Finish;
}

/** The course of a perfect reader of the documents, who knows no more than they say. */
export function documentedPlan(instance: Instance): Plan {
  const { own, tier } = instance;
  switch (own.domain) {
    case 'retail':
      return retailPlan(instance, documentedRetail(tier));
    case 'banking':
      return bankingPlan(instance, documentedBanking(tier));
    case 'pitch':
      // Without a word about tastes, everything that is true is as good as anything else.
      return { actions: [], finish: { pitch: composePitch(own.sheet, own.sheet.facts) } };
  }
}

/** The course of somebody who knows the rules that hold. */
export function practicePlan(instance: Instance): Plan {
  const { own, tier, rules } = instance;
  // Of others' tasks no more is known than what they say is right.
  if (own.domain !== 'pitch' && !isOurs(instance)) return expectedPlan(instance);
  switch (own.domain) {
    case 'retail':
      return own.request === null
        ? expectedPlan(instance)
        : retailPlan(instance, retailPractice(tier, rules));
    case 'banking':
      return bankingPlan(instance, bankingPractice(tier, rules));
    case 'pitch': {
      const liked = own.sheet.facts.filter((fact) => weigh(own.persona, fact) > 0);
      return { actions: [], finish: { pitch: composePitch(own.sheet, liked) } };
    }
  }
}

/** What the evaluator asks for. */
function expectedPlan({ domain, evaluator: { actions, answer } }: Instance): Plan {
  if (domain === 'banking') return { actions, finish: {} };
  if (answer.kind === 'refuse')
    return { actions, finish: { decision: 'refuse', reason: answer.reasons[0] ?? '' } };
  return { actions, finish: answer.kind === 'value' ? { answer: String(answer.expect) } : {} };
}

/** The course under the rules of a shop. */
export function retailPlan(instance: Instance, policy: RetailPolicy): Plan {
  const world = openWorld(instance);
  const { own } = instance;
  if (world.domain !== 'retail' || own.domain !== 'retail' || own.request === null) {
    return { actions: [], finish: {} };
  }
  const decision = decideRetail(world.db, policy, own.request);
  switch (decision.kind) {
    case 'act':
      return { actions: [decision.action], finish: {} };
    case 'refuse':
      return { actions: [], finish: { decision: 'refuse', reason: decision.codes[0] ?? 'not_found' } };
    case 'value':
      return { actions: [], finish: { answer: String(decision.value) } };
  }
}

/** The course under the rules of a bank. */
function bankingPlan(instance: Instance, policy: BankingPolicy): Plan {
  const world = openWorld(instance);
  if (world.domain !== 'banking' || instance.own.domain !== 'banking') return { actions: [], finish: {} };
  return { actions: [decideBanking(world.db, policy, instance.own.case).action], finish: {} };
}

/** What anybody looks at before deciding. */
export function lookups({ own }: Instance): Action[] {
  switch (own.domain) {
    case 'retail': {
      const { name, address } = own.user;
      return [
        { name: 'find_user_id_by_name_zip', kwargs: { ...name, zip: address.zip } },
        { name: 'get_user_details', kwargs: { user_id: own.user.user_id } },
        { name: 'get_order_details', kwargs: { order_id: own.order.order_id } },
      ];
    }
    case 'banking': {
      const { case_id, account_id, merchant_id, payee_id } = own.case;
      return [
        { name: 'get_case_details', kwargs: { case_id } },
        { name: 'get_account_details', kwargs: { account_id } },
        ...(merchant_id === undefined ? [] : [{ name: 'get_merchant_details', kwargs: { merchant_id } }]),
        ...(payee_id === undefined ? [] : [{ name: 'get_payee_details', kwargs: { payee_id } }]),
      ];
    }
    case 'pitch':
      return [];
  }
}
