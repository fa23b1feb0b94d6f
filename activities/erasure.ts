import type { Core } from '../src/platform/core';
import type { ErasureProgress, ErasureBatchInput } from '../src/contracts/erasure';
import { continueErasure } from '../src/upkeep/erasure';
import { withHeartbeat } from './with-heartbeat';

const BEAT_MS = 5_000;

export const erasureActivities = (core: Core) => ({
  /**
   * Carries out one batch of an erasure. Safe to retry: continues at the step that its document names, and does not find erased data again.
   */
  async eraseTurn({ now, ...key }: ErasureBatchInput): Promise<ErasureProgress> {
    return withHeartbeat(BEAT_MS, ({ signal }) => continueErasure(core, key, new Date(now), signal));
  },
});
