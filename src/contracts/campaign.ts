import { defineQuery, defineSignal } from '@temporalio/workflow';

/** The subject, or the second subject, of a campaign that compares two. */
export type Variant = 'a' | 'b';

/** Names a campaign. */
export interface CampaignKey {
  readonly campaignId: string;
  readonly projectId: string;
}

/** Places in the random order of the audience: what follows the slash in recipients' `_id`. `to` does not belong to it; null is the end. */
export interface RecipientRange {
  readonly from: string;
  readonly to: string | null;
}

/** One page of recipients for the hot path. Safe to repeat: a recipient who has a message is left alone. */
export interface CampaignPageInput extends CampaignKey, RecipientRange {
  /** Whose subject goes out; `own` is the row's variant (a row without one gets `a`). */
  readonly subject: Variant | 'own';
  /** Set on the rows of the page that are on hold. */
  readonly winner: Variant | null;
}

export interface CampaignPageResult {
  /** Recipients whose message this call sent, and those it skipped. */
  readonly sent: number;
  readonly skipped: number;
  /** Every recipient of the page is sent or skipped. Otherwise the same page is to be asked for again. */
  readonly done: boolean;
  /** Why the campaign waits: a cap, a quota, its project's state; null when the call just ran long enough. */
  readonly held: string | null;
  /** While a person has paused the campaign: the ISO 8601 instant that ends it; null when only a person does. */
  readonly pausedUntil?: string | null;
  /** The campaign is not `sending` any more: there is nothing left to ask for. */
  readonly over?: boolean;
  /** The task queues of the workers that share the pages now. */
  readonly queues?: readonly string[];
}

interface CampaignAb {
  /** Recipients that get A or B first. */
  readonly sample: number;
  /** Where the remainder begins; null when there is none. */
  readonly boundary: string | null;
  /** ISO 8601 instant. */
  readonly decideAt: string;
}

/** What a campaign is to do, known once its audience is frozen. */
export interface CampaignPlan {
  readonly total: number;
  readonly throttlePerMinute: number | null;
  readonly ab: CampaignAb | null;
  /** How many recipients a page has, about. */
  readonly pageRows: number;
  /** How many pages are sent at once at least. */
  readonly pagesAtOnce: number;
  /** The task queues of the workers that shared the pages when this was written. */
  readonly queues: readonly string[];
}

/** Where a campaign goes on in a new run of its workflow. */
export interface CampaignCursor {
  readonly plan: CampaignPlan;
  /** `sample` is the whole audience where nothing is compared. */
  readonly stage: 'sample' | 'rest';
  readonly winner: Variant | null;
  /** The first page of the stage that may not be done. */
  readonly page: number;
  /** With a throttle: where the next page begins, and when it may, in milliseconds. */
  readonly from: string | null;
  readonly notBefore: number;
  readonly sent: number;
  readonly skipped: number;
}

export interface CampaignSendInput extends CampaignKey {
  /** ISO 8601 instant; null starts at once. */
  readonly scheduledFor: string | null;
  /** The audience is a segment of those who did not open an earlier campaign, which is still to be filled. */
  readonly gathers?: boolean;
  readonly cursor?: CampaignCursor;
}

/** The end of a pause whose time has come. */
export interface EndPauseInput extends CampaignKey {
  /** ISO 8601 instant, by which the pause is known. */
  readonly until: string;
}

export interface CampaignAbInput extends CampaignKey {
  readonly decideAt: string;
}

/** An activity's view of the workflow's time, in milliseconds, so that tests can skip time. */
export interface CampaignAt extends CampaignKey {
  readonly now: number;
}

export interface FinishInput extends CampaignAt {
  /** It was cancelled, or is to be: recipients that still wait are skipped. */
  readonly cancelled: boolean;
  /** It was not cancelled by a signal: an activity found that it is over. */
  readonly found?: boolean;
}

/** How a campaign stands after its end was tried. */
export interface FinishResult {
  /** Recipients that are neither sent nor skipped: the campaign is not finished. */
  readonly pending: number;
  readonly sent: number;
  readonly skipped: number;
  /** The documents are not as far as the workflow that asks: they were restored to an earlier instant. */
  readonly behind?: boolean;
  /** It is sent, and its experiment is to be decided then. */
  readonly decideAt?: string;
}

export interface NextRangeInput extends CampaignKey, RecipientRange {
  /** How many recipients the page is to have. */
  readonly rows: number;
}

export const campaignWorkflowId = (campaignId: string): string => `campaign/${campaignId}`;
export const campaignAbId = (campaignId: string): string => `campaign-ab/${campaignId}`;
export const campaignRemovalId = (campaignId: string): string => `campaign-removal/${campaignId}`;

export const cancelSignal = defineSignal('cancel');
/** The campaign was resumed, or its pause got another end. Which, is read in its document: a repeated or late signal does no harm. */
export const resumedSignal = defineSignal('resumed');
/** The start at this instant was taken back. */
export const unscheduledSignal = defineSignal<[string]>('unscheduled');
/** The campaign is started, while a workflow of it runs: that one's start was undone, when the database was restored to before it. */
export const wantedSignal = defineSignal<[CampaignSendInput]>('wanted');

/** What the workflow of a campaign answers when it is asked where it stands. */
export interface CampaignProgress {
  readonly phase: 'scheduled' | 'freezing' | 'sending' | 'held' | 'deciding' | 'finishing' | 'sent' | 'cancelled';
  readonly total: number | null;
  readonly sent: number;
  readonly skipped: number;
  readonly page: number;
  readonly pages: number | null;
  readonly heldReason: string | null;
}

export const campaignProgressQuery = defineQuery<CampaignProgress>('progress');
