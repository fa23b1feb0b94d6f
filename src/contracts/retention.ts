/** An activity's view of the workflow's time, in milliseconds, so that tests can skip time; and the project after which it continues. */
export interface RetentionBatchInput {
  readonly now: number;
  /** Null: with the first. */
  readonly after: string | null;
}

export interface RetentionProgress {
  /** Rows that were removed or changed, by kind. */
  readonly counts: Readonly<Record<string, number>>;
  /** Continuation of the next batch; absent after the last one. */
  readonly next?: { readonly after: string | null };
}
