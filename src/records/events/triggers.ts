import mongoose from 'mongoose';
import { perDatabase } from '../../platform/mongo';
import { batched } from '../../platform/async';

/** An automation that an event of some name starts, in any state. */
export interface Triggered {
  readonly _id: string;
  readonly name: string;
  readonly trigger: string;
  readonly status: 'draft' | 'active' | 'paused';
}

interface Row extends Triggered {
  readonly projectId: string;
}

const keyOf = (projectId: string, trigger: string): string => `${projectId} ${trigger}`;

/**
 * One indexed query for all that is asked in an iteration of the event loop. It is not cached: drafts and paused automations are in the answer, and no
 * version covers these.
 */
const load = perDatabase(() =>
  batched(async (keys: readonly string[]) => {
    const asked = keys.map((key) => key.split(' ', 2) as [string, string]);
    const rows = await mongoose.connection
      .collection<Row>('automations')
      .find(
        {
          projectId: { $in: [...new Set(asked.map(([projectId]) => projectId))] },
          trigger: { $in: [...new Set(asked.map(([, trigger]) => trigger))] },
        },
        { projection: { projectId: 1, name: 1, trigger: 1, status: 1 } },
      )
      .sort({ _id: 1 })
      .toArray();
    const found = new Map<string, Triggered[]>(keys.map((key) => [key, []]));
    for (const { _id, projectId, name, trigger, status } of rows)
      found.get(keyOf(projectId, trigger))?.push({ _id, name, trigger, status });
    return found;
  }),
);

/** Resolves to the automations whose trigger is an event of this name, oldest first, as they are now. */
export const triggersOf = async (projectId: string, eventName: string): Promise<readonly Triggered[]> =>
  (await load()(keyOf(projectId, `event:${eventName}`))) ?? [];
