/** What a command is to the program that it is part of. */
import type { Shell } from './shell.ts';

/** 0: all well. 1: a check failed or something broke on the way. 2: the command line cannot be carried out. */
export type ExitCode = 0 | 1 | 2;

/** Makes what the parser calls out of a command's work: `choice` are its options, as the parser read them. */
export type Runner = <C>(
  work: (choice: C, shell: Shell) => Promise<ExitCode>,
) => (choice: C) => Promise<void>;
