/** A task of a stream with everything that its episode alone sees, and what makes it right. */
import type { AnyInstance } from '../environment.ts';
import type { BankingCase } from './banking/tables.ts';
import type { Evaluator } from './evaluator.ts';
import type { Persona, Sheet } from './pitch/tastes.ts';
import type { Request } from './retail/request.ts';
import type { Order, User } from './retail/tables.ts';
import type { Category, Domain, Phase, Tier } from './scenarios.ts';

/** The rows that only this episode's database holds; `request` is null where only the words of it are known. */
export interface RetailOwn {
  readonly domain: 'retail';
  readonly order: Order;
  readonly user: User;
  readonly request: Request | null;
}

export interface BankingOwn {
  readonly domain: 'banking';
  readonly case: BankingCase;
}

export interface PitchOwn {
  readonly domain: 'pitch';
  readonly sheet: Sheet;
  readonly persona: Persona;
}

export interface Instance extends AnyInstance {
  readonly scenario: string;
  readonly domain: Domain;
  readonly tier: Tier;
  readonly phase: Phase;
  /** In the scenario, from 0. */
  readonly window: number;
  /** The window of the published schedule whose rules hold. */
  readonly rules: number;
  readonly timestamp: number;
  readonly category: Category;
  /** Without the line that gives the time. */
  readonly instruction: string;
  /** Which generator or data set it comes from, e.g. `hopscope 1`. */
  readonly source: string;
  /** Which of the worlds of its scenario it belongs to, from 0: instances beyond a split's size have worlds of their own. */
  readonly edition: number;
  readonly own: RetailOwn | BankingOwn | PitchOwn;
  readonly evaluator: Evaluator;
}
