import { Context } from '@temporalio/activity';
import type { Core } from '../src/platform/core/context';
import type { RetentionTurn, RetentionTurnInput } from '../src/contracts/retention';
import { retentionTurn } from '../src/upkeep/retention/turn';

const BEAT_MS = 5_000;

export const retentionActivities = (core: Core) => ({
  /** Safe to retry: what is removed is not found again. */
  async retentionTurn(input: RetentionTurnInput): Promise<RetentionTurn> {
    const context = Context.current();
    const timer = setInterval(() => context.heartbeat(), BEAT_MS);
    try {
      return await retentionTurn(core, input, context.cancellationSignal);
    } finally {
      clearInterval(timer);
    }
  },
});
