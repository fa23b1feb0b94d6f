/** An activity's view of the workflow's time, in milliseconds, so that tests can skip time; and behind which project it is to go on. */
export interface RetentionTurnInput {
  readonly now: number;
  /** Null: with what is looked for in all projects together, then with the first. */
  readonly after: string | null;
}

export interface RetentionTurn {
  /** Rows that were removed or changed, by kind. */
  readonly counts: Readonly<Record<string, number>>;
  /** Where the next turn goes on; absent when this one was the last. */
  readonly next?: { readonly after: string | null };
}
