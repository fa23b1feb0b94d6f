import type { Core } from '../src/platform/core';
import type { DomainCheckInput, DomainCheckResult } from '../src/contracts/domain-verification';
import { checkInBackground, restartForgottenChecks } from '../src/sending/domains';
import { withHeartbeat } from './with-heartbeat';

const BEAT_MS = 1_000;

export const domainActivities = (core: Core) => ({
  /** Checks a domain's records. Safe to retry: what a check finds is stored as of the same instant. Null when the domain was deleted. */
  async checkDomain(input: DomainCheckInput): Promise<DomainCheckResult | null> {
    return withHeartbeat(BEAT_MS, () => checkInBackground(core, input));
  },

  /** Starts the checks of domains whose workflow is missing. Safe to retry: a workflow that runs already is not started again. */
  sweepDomains: (): Promise<number> => restartForgottenChecks(core, new Date()),
});
