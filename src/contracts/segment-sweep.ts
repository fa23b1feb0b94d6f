export interface SegmentSweepInput {
  /** The workflow's time in milliseconds: conditions are checked by it, so that tests can skip time. */
  readonly now: number;
}
