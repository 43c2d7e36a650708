/** What a kind of program writes into its log. All of it is content: prefixes are put in front by the family. */
import type { Stream } from '../../../random/stream.ts';

/** One line. Numbers and names differ from call to call. */
export type LineMaker = (stream: Stream) => string;

export interface Format {
  readonly id: string;
  /** Lines that must not be lost. Every one matches the reference compressor's signal pattern, none begins like a prefix. */
  readonly errors: readonly LineMaker[];
  /** Lines that the reference compressor filters out. */
  readonly noise: readonly LineMaker[];
  /** Lines that are neither: nothing is wrong, and no filter knows them. */
  readonly neutral: readonly LineMaker[];
  /** Lines in which nothing is wrong either, but which the signal pattern takes for errors. */
  readonly decoys: readonly LineMaker[];
}
