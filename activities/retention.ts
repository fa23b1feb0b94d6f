import type { Core } from '../src/platform/core';
import type { RetentionTurn, RetentionTurnInput } from '../src/contracts/retention';
import { retentionTurn } from '../src/upkeep/retention';
import { withHeartbeat } from './with-heartbeat';

const BEAT_MS = 5_000;

export const retentionActivities = (core: Core) => ({
  /** Removes a part of what is past its retention. Safe to retry: what is removed is not found again. */
  async retentionTurn(input: RetentionTurnInput): Promise<RetentionTurn> {
    return withHeartbeat(BEAT_MS, ({ signal }) => retentionTurn(core, input, signal));
  },
});
