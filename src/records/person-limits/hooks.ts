import { hook } from '../../platform/hooks';

/** A message of a campaign that has no row. */
export interface Rowless {
  readonly emailId: string;
  readonly campaignId: string;
  readonly contactId: string;
}

/** Finds which of the messages never go out, since their recipients were skipped. */
export const skippedInCampaigns = hook<(messages: readonly Rowless[]) => Promise<ReadonlySet<string>>>('which recipients were skipped');
