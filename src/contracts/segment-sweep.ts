export interface SegmentSweepInput {
  /** The workflow's time in milliseconds: conditions are judged by it, so that tests can skip time. */
  readonly now: number;
}
