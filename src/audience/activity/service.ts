import type { ClientSession } from 'mongoose';
import type { Context, PageRequest } from '../../platform/core';
import { AppError } from '../../platform/core';
import { databaseNow, inTransaction } from '../../platform/mongo';
import { compareSoon, segmentsAsking } from '../segments';
import { forgetEvents, isTrigger, countOfName, newestEvents } from '../../records/events';
import { hook } from '../../platform/hooks';
import { contactIdFor } from '../contacts';
import type { Page } from '../../platform/mongo';
import type { Event } from '../../records/events';

/** Few enough for a short transaction. */
const CHUNK = 2_000;

/**
 * Deletes what was received of one of the caller's names until now; events that wait for the fan-out are dropped. Segments that ask about it are compared
 * again soon. Resolves to how many.
 * Throws `in_use` while an automation, in any state, has it as its trigger. Killed in the middle, the rest is there and can be deleted.
 */
export async function removeEvents(ctx: Context, name: string): Promise<number> {
  if (await isTrigger(ctx.projectId, name)) throw new AppError('in_use', 'A workflow has this event as its trigger');
  const until = await databaseNow();
  let removed = 0;
  for (let chunk = CHUNK; chunk === CHUNK; removed += chunk) {
    chunk = await inTransaction((session) => removeChunk(session, ctx.projectId, name, until));
  }
  return removed;
}

async function removeChunk(session: ClientSession, projectId: string, name: string, until: Date): Promise<number> {
  const removed = await forgetEvents(session, { projectId, name, until }, CHUNK);
  if (removed > 0) await compareSoon(session, projectId, name);
  return removed;
}

/** Something that refers to an event. */
interface Reference {
  readonly _id: string;
  readonly name: string;
}

/** Automations, in any state, that an event starts, that wait for it or ask about it, newest first. */
export const eventAutomations = hook<(projectId: string, name: string) => Promise<readonly Reference[]>>('which automations name an event');

/** The count of an event, and the objects that refer to it. */
export interface EventUsage {
  readonly count: number;
  readonly automations: readonly Reference[];
  readonly segments: readonly Reference[];
}

/** Resolves to how often an event came, the automations that it starts or that wait for it or ask about it, and the segments that ask about it. */
export async function eventUsage(ctx: Context, name: string): Promise<EventUsage> {
  const { projectId } = ctx;
  const [count, automations, segments] = await Promise.all([
    countOfName(projectId, name),
    eventAutomations.only(projectId, name),
    segmentsAsking(ctx, name),
  ]);
  return { count, automations, segments };
}

interface EventFilter {
  readonly name?: string | undefined;
  readonly contactId?: string | undefined;
  readonly email?: string | undefined;
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
}

/** Resolves to a page of the project's events, newest first. With both `contactId` and `email` they have to mean the same contact. */
export function listEvents(ctx: Context, { name, contactId, email, from, to }: EventFilter, request: PageRequest): Promise<Page<Event>> {
  const meant = email === undefined ? undefined : contactIdFor(ctx.project, email);
  if (contactId !== undefined && meant !== undefined && contactId !== meant) return Promise.resolve({ rows: [], next: null });
  return newestEvents({ projectId: ctx.projectId, name, contactId: contactId ?? meant, from, to }, request);
}
