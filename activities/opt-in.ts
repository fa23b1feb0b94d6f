import type { Core } from '../src/platform/core';
import type { OptInOutlook, OptInCheckInput } from '../src/contracts/opt-in';
import { checkOptIn } from '../src/sending/opt-in';

export const optInActivities = (core: Core) => ({
  /**
   * Sends what is due of an opt-in, and notes how it ended. Safe to retry: that a confirmation was sent is noted in the transaction that
   * stores it. Null when the opt-in is over.
   */
  optInTurn: (input: OptInCheckInput): Promise<OptInOutlook | null> => checkOptIn(core, input),
});
