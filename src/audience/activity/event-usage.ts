import type { Context } from '../../platform/core';
import { segmentsAsking } from '../segments';
import { countOfName } from '../../records/events';
import { hook } from '../../platform/hooks';

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
