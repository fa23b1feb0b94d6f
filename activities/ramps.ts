import type { Core } from '../src/platform/core';
import type { RampOutlook, RampTurnInput } from '../src/contracts/ramp';
import { moveRamp } from '../src/sending/ramps';

export const rampActivities = (core: Core) => ({
  /** Moves a ramp to the day that has begun. Safe to retry: a day that was moved on to is found as it is. */
  rampTurn: (input: RampTurnInput): Promise<RampOutlook> => moveRamp(core, input),
});
