import type { Core } from '../src/platform/core';
import type { ErasureProgress, ErasureTurnInput } from '../src/contracts/erasure';
import { eraseTurn } from '../src/upkeep/erasure';
import { withHeartbeat } from './with-heartbeat';

const BEAT_MS = 5_000;

export const erasureActivities = (core: Core) => ({
  /**
   * Carries out one turn of an erasure. Safe to retry: continues at the step that its document names, and does not find erased data again.
   */
  async eraseTurn({ now, ...key }: ErasureTurnInput): Promise<ErasureProgress> {
    return withHeartbeat(BEAT_MS, ({ signal }) => eraseTurn(core, key, new Date(now), signal));
  },
});
