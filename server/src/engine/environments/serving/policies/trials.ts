/** What was tried on which kind of task and how it went, as lines of text: what a method hands to an agent. */

export interface Trial {
  /** Position in the stream. */
  readonly time: number;
  readonly features: readonly string[];
  /** Features that the agent chose not to use. */
  readonly absent: readonly string[];
  readonly course: string;
  readonly worked: boolean;
  /** From 0 to 100. */
  readonly score: number;
}

/** A trial as a line. */
export function printTrial(time: number, key: string, course: string, score: number): string {
  return `@${time} | ${key} | ${course} | ${Math.round(score * 100) / 100}`;
}

const line = /^@(\d+) \| (.*) \| (.*) \| ([\d.]+)$/gm;

/** Reads the trials of a context, in the order of the stream. */
export function readTrials(text: string): Trial[] {
  const found = Array.from(text.matchAll(line), ([, time, key = '', course = '', score]): Trial => {
    const parts = key.split('; ');
    const without = parts.filter((part) => part.startsWith('without '));
    return {
      time: Number(time),
      features: parts.filter((part) => !part.startsWith('without ')),
      absent: without.map((part) => part.slice('without '.length)),
      course,
      worked: Number(score) >= 100,
      score: Number(score),
    };
  });
  return found.sort((a, b) => a.time - b.time);
}
