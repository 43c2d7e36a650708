/** The published probes: signs of reward without the task, and where the reads went. */
import type { ProbeSection, Probes } from '../../probes.ts';
import type { State } from '../state.ts';
import { capture, guessing, outcomes, position } from './answers.ts';
import { type ProbeRow, probeRow } from './row.ts';
import { compression, misses, reading, rereading } from './steps.ts';

const sections: readonly ((rows: readonly ProbeRow[]) => ProbeSection)[] = [
  outcomes,
  guessing,
  position,
  compression,
  rereading,
  capture,
  reading,
  misses,
];

export const probes: Probes<State> = {
  row(states) {
    const last = states.at(-1);
    if (last === undefined) throw new RangeError('an episode has at least the state that it starts with');
    return probeRow(last);
  },
  report: (rows: readonly ProbeRow[]) => sections.map((section) => section(rows)),
};
