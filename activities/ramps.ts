import type { Core } from '../src/platform/core';
import type { RampOutlook, RampTurnInput } from '../src/contracts/ramp';
import { moveRamp } from '../src/sending/ramps';

export const rampActivities = (core: Core) => ({
  /** Safe to retry: a day that was moved on to is found as it is. */
  rampTurn: (input: RampTurnInput): Promise<RampOutlook> => moveRamp(core, input),
});
