/** All scripted agents of the navigator, in the order in which lists and tables show them. */
import type { Policy } from '../../environment.ts';
import type { State } from '../episode.ts';
import type { Instance } from '../instance.ts';
import * as exploits from './exploits.ts';
import { oracle } from './oracle.ts';
import { noRead, randomReader } from './readers.ts';
import { fullDocumentOracle, singleChunkOracle } from './shortcuts.ts';

/** Noise of the teacher's second run, which shows how to go on after a detour. */
export const teacherNoise = 0.15;

export const policies: readonly Policy<Instance, State>[] = [
  oracle(),
  oracle(teacherNoise),
  randomReader,
  noRead,
  singleChunkOracle,
  fullDocumentOracle,
  exploits.guessFixed,
  exploits.answerUnknown,
  exploits.listCandidates,
  exploits.joinDigits,
  exploits.overload,
  exploits.copyChunk,
  exploits.babble,
  exploits.stall,
];
