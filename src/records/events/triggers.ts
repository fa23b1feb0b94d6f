import mongoose from 'mongoose';
import { perDatabase } from '../../platform/mongo';
import { batched } from '../../platform/batch';
import { listeningOf } from './listeners';
import type { Listening } from './listeners';
import { isWithin } from './spans';
import type { Span } from './spans';

/** A time in which an automation was active with one trigger. */
export interface ActiveSpan extends Span {
  readonly trigger: string;
}

/** The times at which an automation is active, from its row. */
interface Activity {
  readonly trigger: string;
  readonly status: 'draft' | 'active' | 'paused';
  /** The version of the listeners since which status and trigger are these. */
  readonly since?: number;
  readonly earlier?: readonly ActiveSpan[];
}

/** Lists the spans in which an automation is or was active, the first one first. */
export const activeSpans = ({ trigger, status, since = 0, earlier = [] }: Activity): readonly ActiveSpan[] =>
  status === 'active' ? [...earlier, { trigger, from: since, until: Number.POSITIVE_INFINITY }] : earlier;

/** An automation that an event of some name starts, in any state. */
export interface Triggered extends Pick<Activity, 'trigger' | 'status'> {
  readonly _id: string;
  readonly name: string;
}

interface Row extends Activity {
  readonly _id: string;
  readonly name: string;
  readonly projectId: string;
}

const keyOf = (projectId: string, trigger: string): string => `${projectId} ${trigger}`;

/** One indexed query for all that is asked in an iteration of the event loop. Not cached: no version covers drafts. */
const load = perDatabase(() =>
  batched(async (keys: readonly string[]) => {
    const asked = keys.map((key) => key.split(' ', 2) as [string, string]);
    const projectId = { $in: [...new Set(asked.map(([project]) => project))] };
    const trigger = { $in: [...new Set(asked.map(([, one]) => one))] };
    const rows = await mongoose.connection
      .collection<Row>('automations')
      .find(
        {
          $or: [
            { projectId, trigger },
            { projectId, 'earlier.trigger': trigger },
          ],
        },
        { projection: { projectId: 1, name: 1, trigger: 1, status: 1, since: 1, earlier: 1 } },
      )
      .sort({ _id: 1 })
      .toArray();
    const found = new Map<string, Row[]>(keys.map((key) => [key, []]));
    for (const row of rows) {
      const triggers = new Set([row.trigger, ...(row.earlier ?? []).map((span) => span.trigger)]);
      for (const one of triggers) found.get(keyOf(row.projectId, one))?.push(row);
    }
    return found;
  }),
);

/** The automations that an event starts, and the listeners of that moment: an event that is stored with them starts exactly those. */
export interface StartedBy {
  readonly listening: Listening;
  readonly triggers: readonly Triggered[];
}

/** Resolves to the automations whose trigger is an event of this name, oldest first. */
export async function startedBy(projectId: string, eventName: string): Promise<StartedBy> {
  // Read before the automations, so that their rows tell what they were at this version.
  const listening = await listeningOf(projectId);
  const trigger = `event:${eventName}`;
  const rows = (await load()(keyOf(projectId, trigger))) ?? [];
  return { listening, triggers: rows.flatMap((row) => triggered(row, trigger, listening.version)) };
}

function triggered(row: Row, trigger: string, version: number): readonly Triggered[] {
  const span = activeSpans(row).find((one) => isWithin(version, one));
  if (span ? span.trigger !== trigger : row.trigger !== trigger) return [];
  return [{ _id: row._id, name: row.name, trigger, status: span ? 'active' : restedAs(row, version) }];
}

/** Returns the status of an automation at a version at which it was not active. */
function restedAs({ status, since = 0, earlier = [] }: Row, version: number): 'draft' | 'paused' {
  if (status === 'paused' && version >= since) return 'paused';
  return status !== 'draft' && earlier.some(({ from }) => from <= version) ? 'paused' : 'draft';
}

/** Resolves to whether an automation, in any state, has an event of this name as its trigger. */
export const isTrigger = async (projectId: string, eventName: string): Promise<boolean> =>
  (await mongoose.connection
    .collection('automations')
    .findOne({ projectId, trigger: `event:${eventName}` }, { projection: { _id: 1 } })) !== null;
