/** What machines are told at the end of an eval of streams: all that the tables say. */
import { categoriesOf, named, pairings } from './pairs.ts';
import { dollarsBy, spentBy, type Tally } from './table.ts';

/** Of an agent and a method. @param first the one that others are held against */
export function summaryOf(tally: Tally, first: Tally | undefined): object {
  const { agent, method, report, rows } = tally;
  const { all, judge } = dollarsBy(tally);
  const isFirst = first === undefined || first === tally;
  return {
    agent,
    method,
    tasks: rows.length,
    sources: named([tally], 'source'),
    judges: named([tally], 'judge'),
    ...report,
    against: isFirst
      ? null
      : {
          agent: first.agent,
          method: first.method,
          pairs: pairings(first, tally, categoriesOf([first, tally])),
        },
    tokens: spentBy(tally),
    dollars: all,
    judge_dollars: judge,
  };
}
