/** The way to treat instants that had no turn: the newest one gets it, none does, or a person decides. */
export const CATCH_UPS = ['latest', 'skip', 'ask'] as const;
export type CatchUp = (typeof CATCH_UPS)[number];

/** When something recurs: by a rule of RFC 5545 (the value of an RRULE), or by a cron expression of five fields. Exactly one of the two is set. */
export interface Schedule {
  readonly rrule?: string | undefined;
  readonly cron?: string | undefined;
  /** IANA name of the zone whose clock the rule is about. */
  readonly timezone: string;
  /** The last instant that may have a turn. */
  readonly until?: Date | null | undefined;
  /** The number of turns, those that are skipped included. */
  readonly count?: number | null | undefined;
  readonly catchUp: CatchUp;
}
