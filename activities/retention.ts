import type { Core } from '../src/platform/core';
import type { RetentionProgress, RetentionBatchInput } from '../src/contracts/retention';
import { applyRetention } from '../src/upkeep/retention';
import { withHeartbeat } from './with-heartbeat';

const BEAT_MS = 5_000;

export const retentionActivities = (core: Core) => ({
  /** Removes a part of what is past its retention. Safe to retry: what is removed is not found again. */
  async retentionTurn(input: RetentionBatchInput): Promise<RetentionProgress> {
    return withHeartbeat(BEAT_MS, ({ signal }) => applyRetention(core, input, signal));
  },
});
