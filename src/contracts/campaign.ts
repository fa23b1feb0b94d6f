import { defineQuery, defineSignal } from '@temporalio/workflow';

/** The subject, or the second subject, of a campaign that compares two. */
export type Variant = 'a' | 'b';

/** Names a campaign. */
export interface CampaignKey {
  readonly campaignId: string;
  readonly projectId: string;
}

/** Positions in the random order of the audience: the part after the slash in recipients' `_id`. `to` does not belong to it; null is the end. */
export interface RecipientRange {
  readonly from: string;
  readonly to: string | null;
}

/** One page of recipients for the hot path. Safe to repeat: a recipient who has a message is left alone. */
export interface CampaignPageInput extends CampaignKey, RecipientRange {
  /** The subject to send; `own` is the row's variant (a row without one gets `a`). */
  readonly subject: Variant | 'own';
  /** Set on the rows of the page that are on hold. */
  readonly winner: Variant | null;
  /** Leaves out recipients with another send time. `now` is the workflow's time; both in milliseconds. */
  readonly turn?: { readonly at: number; readonly now: number };
}

export interface CampaignPageResult {
  /** Recipients whose message this call sent, and those it skipped. */
  readonly sent: number;
  readonly skipped: number;
  /** True if every recipient of the page is sent or skipped. Otherwise, ask for the same page again. */
  readonly done: boolean;
  /** Why the campaign waits: a cap, a quota, its project's state; null when the call just ran long enough. */
  readonly held: string | null;
  /** While a person has paused the campaign: the ISO 8601 instant that ends it; null when only a person does. */
  readonly pausedUntil?: string | null;
  /** ISO 8601 instant: when the first recipient who waits for a frequency cap may be asked for again. Absent when none waits. */
  readonly laterAt?: string;
  /** Recipients who wait because their provider refuses the campaign's mail, by provider. Absent when none waits. */
  readonly refused?: Readonly<Record<string, number>>;
  /** The campaign is not `sending` any more: there is nothing left to ask for. */
  readonly over?: boolean;
  /** The task queues of the workers that share the pages now. */
  readonly queues?: readonly string[];
}

interface CampaignAb {
  /** Recipients that get A or B first. */
  readonly sample: number;
  /** Start of the remainder; null if there is none. */
  readonly boundary: string | null;
  /** ISO 8601 instant. */
  readonly decideAt: string;
}

/** A share of the audience that is sent to before the next one, in the random order of the audience. */
interface RolloutPlan {
  /** The share of the audience that is reached once the step is sent. */
  readonly percent: number;
  /** Recipients of the step itself. */
  readonly rows: number;
  /** Position of the first recipient after it; null is the end of the audience. */
  readonly to: string | null;
}

/** The plan of a campaign, known once its audience is frozen. */
export interface CampaignPlan {
  readonly total: number;
  readonly throttlePerMinute: number | null;
  readonly ab: CampaignAb | null;
  /** Approximate number of recipients of a page. */
  readonly pageRows: number;
  /** Number of pages that are sent at the same time, at least. */
  readonly pagesAtOnce: number;
  /** The task queues of the workers that shared the pages when this was written. */
  readonly queues: readonly string[];
  /** Its recipients have send times, by windows or by their local time. Absent if all are sent to at once. */
  readonly inTurns?: true;
  /** It is sent in these steps. Absent where all are sent to at once. */
  readonly rollout?: readonly RolloutPlan[];
}

/** Recipients with the same send time. */
export interface SendTimeGroup {
  /** In milliseconds. */
  readonly at: number;
  readonly rows: number;
}

/** The point at which a campaign continues in a new run of its workflow. */
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
  /** The send time that is being sent, and the last one that is done; absent for a campaign without send times. */
  readonly turn?: SendTimeGroup | null;
  readonly turnedTo?: number | null;
  /** The step of a rollout that is being sent, from 0 on, and whether only its wait is left; absent of a campaign without one. */
  readonly step?: number;
  readonly isStepSent?: boolean;
  readonly sent: number;
  readonly skipped: number;
}

export interface CampaignSendInput extends CampaignKey {
  /** ISO 8601 instant; null starts at once. */
  readonly scheduledFor: string | null;
  /** The audience is a segment of contacts that did not open an earlier campaign, which is still to be filled. */
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
  /** True if it was cancelled, or should be: recipients that still wait are skipped. */
  readonly cancelled: boolean;
  /** It was not cancelled by a signal: an activity found that it is over. */
  readonly found?: boolean;
  /** Recipients wait for a frequency cap. */
  readonly capped?: boolean;
  /** Recipients wait because their provider refuses the campaign's mail, by provider. */
  readonly refused?: Readonly<Record<string, number>>;
}

/** A check of a rollout after a step was sent. */
export interface CheckRolloutInput extends CampaignAt {
  /** From 0 on. */
  readonly step: number;
}

export interface RolloutChecked {
  /** `waits`: its wait is not over, or the campaign is paused. `over`: the campaign does not send any more. */
  readonly state: 'waits' | 'held' | 'passed' | 'over';
  /** When to check again, in milliseconds; null where only a person changes something. */
  readonly until: number | null;
  /** Why it is on hold. */
  readonly held: string | null;
}

/** When providers that refuse a campaign's mail are checked again. */
export interface ProvidersChecked {
  /** In milliseconds; null once pages may go out again. */
  readonly nextAt: number | null;
}

/** The state of a campaign after trying to finish it. */
export interface FinishResult {
  /** Recipients that are neither sent nor skipped: the campaign is not finished. */
  readonly pending: number;
  readonly sent: number;
  readonly skipped: number;
  /** The documents are not as far as the workflow that asks: they were restored to an earlier instant. */
  readonly behind?: boolean;
  /** The campaign is sent, and the winner of its A/B test is decided then. */
  readonly decideAt?: string;
}

export interface NextRangeInput extends CampaignKey, RecipientRange {
  /** Number of recipients for the page. */
  readonly rows: number;
  /** Only recipients with this send time, in milliseconds. */
  readonly turn?: number;
}

export interface NextSendTimeInput extends CampaignKey, RecipientRange {
  /** The last send time that is done, in milliseconds; null before the first. */
  readonly after: number | null;
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

/** The answer of a campaign's workflow to a query for its progress. */
export interface CampaignProgress {
  readonly phase: 'scheduled' | 'freezing' | 'sending' | 'held' | 'waiting' | 'deciding' | 'finishing' | 'sent' | 'cancelled';
  readonly total: number | null;
  readonly sent: number;
  readonly skipped: number;
  readonly page: number;
  readonly pages: number | null;
  readonly heldReason: string | null;
}

export const campaignProgressQuery = defineQuery<CampaignProgress>('progress');

/** An activity's view of the workflow's time, in milliseconds, so that tests can skip time. */
export interface SeriesTurnInput extends CampaignKey {
  readonly now: number;
  /** Whether it reads the feed of the turn that is due, which takes time: an activity of the queue for calls does. */
  readonly readsFeed?: boolean;
}

/** The reason why a series waits: its next turn, the feed of it, the end of the turn before or of the last one, the end of a pause, a person's answer, or its project. */
export type SeriesWait = 'turn' | 'feed' | 'previous' | 'last' | 'pause' | 'answer' | 'project';

/** The progress of a series, and when there is more to do. */
export interface SeriesOutlook {
  /** Null when it is over. */
  readonly waitsFor: SeriesWait | null;
  /** ISO 8601 instant until which it waits; null until it gets a signal, and for a feed that can be read now. */
  readonly until: string | null;
  /** ISO 8601 instant of the next turn; null when there is none. */
  readonly nextAt: string | null;
  /** Turns so far, those that were skipped included. */
  readonly turns: number;
}

export const campaignSeriesId = (campaignId: string): string => `campaign-series/${campaignId}`;
