import type { CampaignKey } from './campaign';

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
