/** Names a transport with a ramp. */
export interface RampInput {
  readonly transport: string;
}

/** An activity's view of the workflow's time, in milliseconds, so that tests can skip time. */
export interface RampTurnInput extends RampInput {
  readonly now: number;
}

/** The step and the amount of a ramp until its next day. */
export interface RampOutlook {
  /** ISO 8601 instant of the next day; null when the ramp is over. */
  readonly nextAt: string | null;
  /** The first one is 1. */
  readonly step: number | null;
  readonly amount: number | null;
  readonly heldBack: 'refused' | 'unused' | null;
}

export const rampWorkflowId = (transport: string): string => `ramp/${transport}`;
