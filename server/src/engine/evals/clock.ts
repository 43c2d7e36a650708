/** Time as a run sees it, passed in so that the engine reads no clock and tests wait for nothing. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Resolves after `ms`, or at once when `signal` is aborted: never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls `run` once after `ms`, unless the function it gives back is called before. */
  after(ms: number, run: () => void): () => void;
}
