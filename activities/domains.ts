import { Context } from '@temporalio/activity';
import type { Core } from '../src/platform/core/context';
import type { DomainCheckInput, DomainCheckResult } from '../src/contracts/domain-verification';
import { checkInBackground, restartForgottenChecks } from '../src/sending/domains/background';

const BEAT_MS = 1_000;

export const domainActivities = (core: Core) => ({
  /** Safe to retry: what a check finds is stored as of the same instant. Null when the domain was deleted. */
  async checkDomain(input: DomainCheckInput): Promise<DomainCheckResult | null> {
    const context = Context.current();
    const timer = setInterval(() => context.heartbeat(), BEAT_MS);
    try {
      return await checkInBackground(core, input);
    } finally {
      clearInterval(timer);
    }
  },

  /** Safe to retry: a workflow that runs already is not started again. */
  sweepDomains: (): Promise<number> => restartForgottenChecks(core, new Date()),
});
