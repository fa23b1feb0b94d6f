import type { ClientSession } from 'mongoose';
import { hook } from '../platform/hooks';

/**
 * Counters of a campaign's messages. `proxied`: a proxy loaded their images ahead of the reader; `proxiedOpened`: a person opened them too; `scanned`: another machine
 * opened or clicked.
 */
export type CampaignCounter =
  | 'delivered'
  | 'opened'
  | 'clicked'
  | 'bounced'
  | 'complained'
  | 'unsubscribed'
  | 'proxied'
  | 'proxiedOpened'
  | 'scanned';

/** Activity of one live message of a campaign: members that are true for the first time, and each link with its clicks. */
export interface CampaignHappening {
  readonly projectId: string;
  readonly campaignId: string;
  readonly emailId: string;
  /** The message's content, if it is known: variants are counted by it. */
  readonly contentId?: string | null;
  /** Its first attempt was recorded. */
  readonly tried?: boolean;
  readonly first: readonly CampaignCounter[];
  /** Number of messages that this is true of; default 1. */
  readonly times?: number;
  /** Members that are true no more. */
  readonly undone?: readonly CampaignCounter[];
  readonly clicks?: ReadonlyMap<string, number>;
  /** Clicks by link that were counted and turned out to be a machine's; `stay`: links that a person clicked in the message too. */
  readonly retracted?: { readonly clicks: ReadonlyMap<string, number>; readonly stay: ReadonlySet<string> };
}

/** The counters of campaigns, as delivery and tracking see them. */
export interface CampaignFigures {
  /**
   * Counts what happened to messages in their campaigns, in the transaction that records it with the messages; or after it, when the caller knows that it
   * is for the first time. A campaign that is gone counts nothing.
   */
  count(happenings: readonly CampaignHappening[], session?: ClientSession): Promise<void>;
  /** Counts clicks by link: all of them, and the messages that they were made in. */
  countLinks(session: ClientSession, happenings: readonly CampaignHappening[]): Promise<void>;
}

/** Answered by the room of campaigns. */
export const campaignFigures = hook<CampaignFigures>('where the figures of campaigns are counted');
