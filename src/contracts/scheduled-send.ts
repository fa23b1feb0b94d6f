import { defineSignal } from '@temporalio/workflow';

/** All messages of a project that go out within one minute. */
export interface ScheduledSendInput {
  /** ISO 8601 instant at which the minute begins; in workflows of the first release, the one instant of a request's messages. */
  readonly sendAt: string;
  /** Pumps to wake at that instant, in workflows of the first release; none since pumps know when mail is due. */
  readonly shards: readonly number[];
  readonly projectId?: string;
}

export interface ScheduledMinuteInput {
  readonly projectId: string;
  /** ISO 8601 instant at which the minute begins. */
  readonly minute: string;
}

export interface ScheduledMinute {
  /** How many messages of the minute wait to go out. */
  readonly waiting: number;
  /** The soonest of them, as many as a search attribute holds. */
  readonly emailIds: readonly string[];
  /** The contacts that these go to; absent in histories of earlier releases. */
  readonly recipientIds?: readonly string[];
}

export const MINUTE_MS = 60_000;

/** A search attribute takes 2 KB. */
export const LISTED_IDS = 60;

/** Returns the minute that an instant is in. */
export const minuteOf = (instant: Date): Date => new Date(Math.floor(instant.getTime() / MINUTE_MS) * MINUTE_MS);

/** Makes the workflow id; `minute` is the instant at which it begins. */
export const scheduledSendId = (projectId: string, minute: Date): string =>
  `scheduled-send/${projectId}/${minute.toISOString().slice(0, 16)}Z`;

/** Messages of the minute were accepted or cancelled since it looked. */
export const changedSignal = defineSignal('changed');
