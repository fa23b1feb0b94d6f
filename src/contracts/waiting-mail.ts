import { defineSignal } from '@temporalio/workflow';

/** All messages of a project that go out within one minute. */
export interface ScheduledMinuteInput {
  readonly projectId: string;
  /** ISO 8601 instant at which the minute begins. */
  readonly minute: string;
  /** A message of the minute goes out within seconds. */
  readonly soon?: boolean;
}

/** The rest of a minute after everything due was released. */
export interface ScheduledMinute {
  readonly waiting: number;
  /** The soonest messages, as many as a search attribute holds. */
  readonly emailIds: readonly string[];
  /** The contacts that these go to. */
  readonly recipientIds: readonly string[];
  /** ISO 8601 instants at which the first and the last go out; null when none waits. */
  readonly nextAt: string | null;
  readonly lastAt: string | null;
}

export const MINUTE_MS = 60_000;

/** A search attribute takes 2 KB. */
export const LISTED_IDS = 60;

/** Returns the minute that an instant is in. */
export const minuteOf = (instant: Date): Date => new Date(Math.floor(instant.getTime() / MINUTE_MS) * MINUTE_MS);

const PREFIX = 'scheduled-send/';

/** Returns the workflow id; `minute` is the instant at which it begins. */
export const scheduledSendId = (projectId: string, minute: Date): string => `${PREFIX}${projectId}/${minute.toISOString().slice(0, 16)}Z`;

/** Returns the minute that a workflow id names; null for the id of another workflow. */
export function scheduledMinuteOf(workflowId: string): ScheduledMinuteInput | null {
  const [projectId = '', minute = ''] = workflowId.startsWith(PREFIX) ? workflowId.slice(PREFIX.length).split('/') : [];
  const instant = new Date(minute);
  return projectId === '' || Number.isNaN(instant.getTime()) ? null : { projectId, minute: instant.toISOString() };
}

/** Messages of the minute were accepted, moved or cancelled since the workflow checked. */
export const changedSignal = defineSignal<[Partial<ScheduledMinuteInput>]>('changed');

/** Some of a project's messages that wait for another attempt: as many as a search attribute names. */
export interface DeferredList {
  readonly projectId: string;
  /** Which of the project's lists, from 1 on. */
  readonly list: number;
  readonly emailIds: readonly string[];
  /** When the first of them is tried again, in milliseconds; null where none of them is known to wait. */
  readonly firstAt: number | null;
}

const LIST_PREFIX = 'deferred/';

export const deferredMailId = ({ projectId, list }: Pick<DeferredList, 'projectId' | 'list'>): string =>
  `${LIST_PREFIX}${projectId}/${list}`;

/** Reads a workflow id; null when it is of something else. */
export function deferredListOf(workflowId: string): Pick<DeferredList, 'projectId' | 'list'> | null {
  const [projectId, list, ...more] = workflowId.startsWith(LIST_PREFIX) ? workflowId.slice(LIST_PREFIX.length).split('/') : [];
  return projectId !== undefined && Number(list) >= 1 && more.length === 0 ? { projectId, list: Number(list) } : null;
}

/** Replaces the list with a newer one. */
export const listSignal = defineSignal<[DeferredList]>('list');

/** Nothing of the list waits any more. */
export const emptySignal = defineSignal('empty');
