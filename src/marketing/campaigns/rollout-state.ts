import type { RolloutCounts, RolloutFinding, RolloutWait } from '../../rules/rollout';

/** A step as it is asked for. The shares grow to 100 percent, and the last step has no wait. */
export interface AskedStep {
  /** The share of the audience that is reached once the step is sent. */
  readonly percent: number;
  readonly wait: RolloutWait | null;
}

interface RolloutStep extends AskedStep {
  /** Its own recipients, once the audience is frozen. */
  readonly recipients?: number;
  /** When all of them were sent to: the wait begins. */
  readonly sentAt?: Date;
  /** Results of messages from the check of the step before until the check of this one. */
  readonly counts?: RolloutCounts;
  /** Why the rollout stopped after it; they stay when a person resumes it. */
  readonly findings?: readonly RolloutFinding[];
  /** When the way was free for the next step: its wait was over and nothing found, or a person resumed it. */
  readonly passedAt?: Date;
}

/** The steps in which a campaign is sent, and how far it is. */
export interface CampaignRollout {
  readonly steps: readonly RolloutStep[];
  /** When the next step begins, unless the check before it finds something; absent while none waits. */
  readonly nextAt?: Date;
}

/** Returns the index of the step that a rollout is at, from 0 on; the number of steps once all are passed. Steps without recipients are passed with the one before. */
export function currentStep({ steps }: CampaignRollout): number {
  const passed = steps.findLastIndex(({ passedAt }) => passedAt !== undefined);
  const next = steps.findIndex(({ recipients }, index) => index > passed && recipients !== 0);
  return next === -1 ? steps.length : next;
}
