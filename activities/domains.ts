import type { Core } from '../src/context';
import type { DomainCheckInput, DomainCheckResult } from '../src/contracts/domain-verification';
import { checkInBackground, restartForgottenChecks } from '../src/domains/background';

export const domainActivities = (core: Core) => ({
  /** Safe to retry: what a check finds is stored as of the same instant. Null when the domain was deleted. */
  checkDomain: (input: DomainCheckInput): Promise<DomainCheckResult | null> => checkInBackground(core, input),

  /** Safe to retry: a workflow that runs already is not started again. */
  sweepDomains: (): Promise<number> => restartForgottenChecks(core, new Date()),
});
