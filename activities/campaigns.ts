import { ApplicationFailure } from '@temporalio/activity';
import {
  DecisionWaits,
  beginCampaign,
  checkProviders,
  checkRollout,
  decideCampaign,
  endPause,
  fillNonOpeners,
  finishCampaign,
  freezeAudience,
  nextSendTime,
  positionAfter,
  removeCampaign,
} from '../src/marketing/campaigns';
import type { BulkHost } from '../src/marketing/campaigns';
import type { Core } from '../src/platform/core';
import { queuesOfPool } from '../src/sending/deliver';
import type {
  CampaignAt,
  CampaignKey,
  CampaignPlan,
  CheckRolloutInput,
  EndPauseInput,
  FinishInput,
  FinishResult,
  SendTimeGroup,
  NextRangeInput,
  NextSendTimeInput,
  ProvidersChecked,
  RolloutChecked,
  Variant,
} from '../src/contracts/campaign';
import { withHeartbeat } from './with-heartbeat';

const BEAT_MS = 5_000;
const DECIDES_AGAIN = '30 seconds';

const beating = <T>(work: (host: BulkHost) => Promise<T>): Promise<T> => withHeartbeat(BEAT_MS, work);

export const campaignActivities = (core: Core) => ({
  /** Moves a campaign to `sending`; false if it cannot begin any more. Safe to retry: what is sending already stays as it is. */
  beginCampaign: ({ now, ...key }: CampaignAt): Promise<boolean> => beginCampaign(key, new Date(now)),

  /** Writes the campaign's recipients. Safe to retry: continues from its document, and writes no recipient twice. */
  freezeCampaign: (key: CampaignKey): Promise<CampaignPlan | null> =>
    beating(async (host) => {
      const plan = await freezeAudience(key, host);
      return plan && { ...plan, queues: await queuesOfPool() };
    }),

  /** Fills the segment of those who did not open the first send. Safe to retry: contacts that are in the segment stay in it. */
  gatherNonOpeners: (key: CampaignKey): Promise<boolean> => beating(({ beat }) => fillNonOpeners(key, Number.POSITIVE_INFINITY, beat)),

  /** Resolves to the position at which the next range of recipients ends; null after the last. Only reads. */
  nextCampaignRange: (input: NextRangeInput): Promise<string | null> => positionAfter(input),

  /** Resolves to the next group of recipients with the same send time; null after the last. Only reads. */
  nextCampaignTurn: (input: NextSendTimeInput): Promise<SendTimeGroup | null> => nextSendTime(input),

  /** Ends a pause that has an end. Safe to retry: only the pause of that end is ended. */
  endCampaignPause: ({ until, ...key }: EndPauseInput): Promise<void> => endPause(core, key, until),

  /**
   * Chooses the winner of an A/B test; null if there is none. Safe to retry: what was decided stays decided. While the campaign is
   * paused, it may be retried until that is over: the wait is no event of the history.
   */
  decideCampaign: (key: CampaignKey): Promise<Variant | null> =>
    beating(({ beat }) => decideCampaign(key, beat)).catch((error: unknown) => {
      if (!(error instanceof DecisionWaits)) throw error;
      throw ApplicationFailure.create({ message: error.message, type: error.name, nextRetryDelay: DECIDES_AGAIN });
    }),

  /** Holds or releases the mail of each mailbox provider by its replies. Safe to retry: each change of a hold expects it as it was read. */
  checkProviders: ({ now, ...key }: CampaignAt): Promise<ProvidersChecked> => checkProviders(core, key, now),

  /** Moves a rollout on, stops it, or waits. Safe to retry: a step is noted, checked and passed once. */
  checkRollout: (input: CheckRolloutInput): Promise<RolloutChecked> => beating(() => checkRollout(core, input)),

  /** Ends a campaign once none of its mail is under way. Safe to retry: a campaign ends once. */
  finishCampaign: (input: FinishInput): Promise<FinishResult> => beating(({ beat }) => finishCampaign(core, input, beat)),

  /** Removes a campaign with its recipients. Safe to retry: what is gone is gone. */
  removeCampaign: (key: CampaignKey): Promise<void> => beating(({ beat }) => removeCampaign(key, beat)),
});
