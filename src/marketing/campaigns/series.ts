import { campaignWorkflowId, resumedSignal, campaignSeriesId } from '../../contracts/campaign';
import type { StartIntent } from '../../contracts/processes';
import { invalid } from '../../platform/core';
import { instantsAfter } from '../recurrence';
import type { Schedule } from '../../rules/recurrence/schedule';
import type { Campaign } from './model';
import type { SeenFeed } from '../feeds';

/** A campaign that repeats itself, once it was started. */
export type Series = Campaign & { readonly schedule: Schedule; readonly series: SeriesState };

export const isSeries = (campaign: Campaign | null): campaign is Series => campaign?.schedule != null && campaign.series !== undefined;

/** Returns whether a campaign is a series that still makes turns: its text can be changed, for the turns to come. */
export const isRunningSeries = (campaign: Campaign): campaign is Series => isSeries(campaign) && campaign.status === 'sending';

/** Returns the id of the workflow that keeps a campaign going. */
export const workflowIdOf = (campaign: Campaign): string =>
  isSeries(campaign) ? campaignSeriesId(campaign._id) : campaignWorkflowId(campaign._id);

const MINUTE_MS = 60_000;

/** Returns the instant of the next turn; null when there is none. */
export function nextTurnAt(schedule: Schedule, { from, after, turns }: Omit<SeriesState, 'nextAt' | 'childId'>): Date | null {
  if (schedule.count != null && turns >= schedule.count) return null;
  return instantsAfter(schedule, from, after, 1)[0] ?? null;
}

/** Returns the state of a series that begins at an instant. Throws 422 for a schedule without a turn from then on. */
export function beginningOf(schedule: Schedule, from: Date): SeriesState {
  // A rule without a time of day takes the minute of its start, which has a turn too.
  const after = new Date(Math.floor(from.getTime() / MINUTE_MS) * MINUTE_MS - 1);
  const nextAt = nextTurnAt(schedule, { from, after, turns: 0 });
  if (nextAt === null) throw invalid('schedule', 'invalid_combination', 'The schedule has no turn after its start');
  return { from, after, nextAt, turns: 0, childId: null };
}

/** Times that a start may name. */
interface AskedTimes {
  readonly scheduledFor: Date | null;
  readonly localTime?: object | null;
  readonly abDecideAt: Date | null;
}

/** Returns the state of a series as it is started. Throws 422 for what turns decide for themselves, and for a schedule without a turn. */
export function startedSeries(schedule: Schedule, { scheduledFor, localTime, abDecideAt }: AskedTimes, now: Date): SeriesState {
  if (localTime) throw invalid('localTime', 'invalid_combination', 'A recurring campaign takes its times from its schedule');
  if (abDecideAt !== null) {
    throw invalid('abDecideAt', 'invalid_combination', 'Each turn of a recurring campaign decides its A/B test 4 hours after it starts');
  }
  return beginningOf(schedule, scheduledFor ?? now);
}

/** Turns what a campaign would be started as into the start of its series. Throws as `startedSeries`. */
export const asSeries = (started: Campaign, schedule: Schedule, asked: AskedTimes, now: Date): Campaign => ({
  ...started,
  scheduledFor: null,
  abDecideAt: null,
  contentIds: null,
  series: startedSeries(schedule, asked, now),
});

/** Returns the intent to start the workflow of a series. */
export const seriesIntent = ({ _id: campaignId, projectId, series }: Series): StartIntent => ({
  kind: 'start',
  workflow: 'campaignSeries',
  workflowId: campaignSeriesId(campaignId),
  input: { campaignId, projectId },
  summary: 'Recurring campaign',
  attributes: { projectId, campaignId, ...(series.nextAt && { due: series.nextAt.toISOString() }) },
  lasts: true,
  // One that runs already may wait for an instant of an earlier start, which a restore of the database undid.
  signal: resumedSignal.name,
});

/** Progress of a recurring campaign that was started. */
export interface SeriesState {
  /** The instant from which its rule counts. */
  readonly from: Date;
  /** All instants up to this one had their turn, or none. */
  readonly after: Date;
  /** The next instant; null when there is none. */
  readonly nextAt: Date | null;
  /** The number of instants that are behind it. */
  readonly turns: number;
  /** The campaign of the last turn that was sent. */
  readonly childId: string | null;
  /** A person's answer to instants that were missed, until it is used. */
  readonly answer?: 'latest' | 'skip';
  /** Set while turns have sent all that its feed lists. */
  readonly seen?: SeenFeed;
  /** Set while the feed of a turn that is due cannot be read. */
  readonly feedWait?: FeedWait;
}

/** The attempts to read the feed of a turn. */
export interface FeedWait {
  /** The instant of the turn. */
  readonly at: Date;
  /** When it could not be read for the first time. */
  readonly since: Date;
  readonly attempts: number;
  /** When it is tried again. */
  readonly next: Date;
}
