import type { Core } from '../src/platform/core';
import type { OptInOutlook, OptInTurnInput } from '../src/contracts/opt-in';
import { optInTurn } from '../src/sending/opt-in';

export const optInActivities = (core: Core) => ({
  /** Safe to retry: that a confirmation was sent is noted in the transaction that stores it. Null when the opt-in is over. */
  optInTurn: (input: OptInTurnInput): Promise<OptInOutlook | null> => optInTurn(core, input),
});
