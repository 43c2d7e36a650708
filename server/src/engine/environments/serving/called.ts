/** What a call of a tool gives. */
export interface Called<D> {
  readonly db: D;
  /** What the agent reads. */
  readonly text: string;
  /** False for a call that was refused. */
  readonly ok: boolean;
}
