import { isDeepStrictEqual } from 'node:util';
import { ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Client, ScheduleOptionsAction, WorkflowStartOptions } from '@temporalio/client';
import { PRIORITIES } from '../../contracts/priorities';
import type { PlatformWorkflow } from '../../contracts/priorities';
import type { Rounds } from '../../contracts/rounds';
import type { TaskQueue } from '../../contracts/task-queues';
import type { Logger } from '../log';

interface Repeated {
  readonly id: string;
  readonly workflow: PlatformWorkflow;
  readonly everyMs: number;
  readonly offsetMs?: number;
  /** Number of rounds of one run: its schedule begins the next run when it has ended, and soon after it has failed. */
  readonly rounds?: number;
}

const [SECOND, HOUR] = [1_000, 3_600_000];

const SWEEP = 'sweep';

/** Frequent schedules use one run for ten minutes; otherwise lists of workflows would show little else. */
const SCHEDULES: readonly Repeated[] = [
  { id: 'contact-fields', workflow: 'recountContactFields', everyMs: 24 * HOUR, offsetMs: 3 * HOUR },
  { id: 'retention', workflow: 'retention', everyMs: 600 * SECOND },
  { id: 'segment-sweep', workflow: 'segmentSweep', everyMs: 60 * SECOND, rounds: 10 },
  { id: 'segment-counts', workflow: 'segmentCounts', everyMs: 20 * SECOND, rounds: 30 },
  { id: SWEEP, workflow: 'sweep', everyMs: 10 * SECOND, rounds: 60 },
];

const QUEUE: TaskQueue = 'orchestration';

type Action = ScheduleOptionsAction & Pick<WorkflowStartOptions, 'priority'>;

const definitionOf = ({ id, workflow, everyMs, offsetMs, rounds }: Repeated) => {
  const args: [] | [Rounds] = rounds === undefined ? [] : [{ rounds, everyMs }];
  // The SDK hands the priority of an action on, and lacks it in the action's type.
  const action: Action = {
    type: 'startWorkflow',
    workflowType: workflow,
    workflowId: id,
    taskQueue: QUEUE,
    args,
    priority: { priorityKey: PRIORITIES[workflow] },
  };
  return {
    spec: { intervals: [{ every: everyMs, ...(offsetMs !== undefined && { offset: offsetMs }) }] },
    action,
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: 60 * SECOND },
  };
};

type Definition = ReturnType<typeof definitionOf>;

const PARTS = ['spec', 'action', 'policies'] as const;

/**
 * Creates the schedules that mend what crashes leave. One that an earlier release made, or that somebody has edited, is brought to what it is here, and the log
 * says what changed; whether it is paused stays as it is. The sweep's is made last: where it exists, all do.
 */
export async function ensureSchedules(client: Client, log: Logger): Promise<void> {
  for (const schedule of SCHEDULES) await ensure(client, log, schedule.id, definitionOf(schedule));
}

/** Resolves to whether the schedule of the sweep exists: without it, Temporal knows of no workflow of ours either. */
export async function schedulesAreThere(client: Client): Promise<boolean> {
  try {
    await client.schedule.getHandle(SWEEP).describe();
    return true;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return false;
    throw error;
  }
}

async function ensure(client: Client, log: Logger, scheduleId: string, wanted: Definition): Promise<void> {
  try {
    await client.schedule.create({ scheduleId, ...wanted });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await update(client, log, scheduleId, wanted);
  }
}

async function update(client: Client, log: Logger, scheduleId: string, wanted: Definition): Promise<void> {
  const schedule = client.schedule.getHandle(scheduleId);
  const found = await schedule.describe();
  const changes = PARTS.flatMap((part) => {
    const [from, to] = [given(found[part]), given(wanted[part])];
    return isDeepStrictEqual(from, to) ? [] : [[part, { from, to }] as const];
  });
  if (changes.length === 0) return;
  await schedule.update(({ state }) => ({ ...wanted, state }));
  log.info({ scheduleId, changes: Object.fromEntries(changes) }, 'A schedule was updated');
}

/** Returns a setting without what means nothing: the server answers with every field, empty where none was given. */
function given(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? value.map(given) : undefined;
  if (typeof value !== 'object' || value === null) return value === 0 || value === false || value === '' ? undefined : value;
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const kept = given(field);
    return kept === undefined || kept === null ? [] : [[name, kept] as const];
  });
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}
