import { ActivityFailure, condition, continueAsNew, isCancellation, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { QueryDefinition, SignalDefinition } from '@temporalio/workflow';
import { deliveryProgressQuery, wakeSignal as wakeDelivery } from '../src/contracts/delivery';
import type { DeliveryPumpInput, PumpResult } from '../src/contracts/delivery';
import { fanOutProgressQuery, wakeSignal as wakeFanOut } from '../src/contracts/fan-out';
import type { FanOutPumpInput } from '../src/contracts/fan-out';
import { wakeSignal as wakeWebhooks, webhookProgressQuery } from '../src/contracts/webhook';
import type { WebhookPumpInput } from '../src/contracts/webhook';
import { summarizedActivities } from './summarized';
import { isHistoryLong } from './turns';

interface Shard {
  readonly shard: number;
}

/** The result of one run of a pump's activity. */
interface Run {
  readonly handled: number;
  /** When the next thing of the shard is due, in milliseconds; null when none waits. */
  readonly nextDueAt?: number | null;
  /** The task queue of the worker that should continue. */
  readonly moveTo?: string;
  /** The run was stopped: there may be more to do at once. */
  readonly more?: boolean;
}

/** The state of a pump, for its query. */
interface Standing<Working extends string> {
  readonly handled: number;
  readonly state: Working | 'waiting';
  readonly nextDueAt: string | null;
}

interface Kind<Working extends string, Progress> {
  readonly wake: SignalDefinition;
  readonly query: QueryDefinition<Progress>;
  readonly progress: (standing: Standing<Working>) => Progress;
  readonly working: Working;
  readonly run: (shard: number, moveTo: string | undefined) => Promise<Run>;
  /** For people: what it does, and what it waits for. */
  readonly says: {
    readonly working: (moveTo: string | undefined) => string;
    readonly waiting: (handled: number, nextDueAt: string | null) => string;
    readonly timer: string;
  };
}

const HISTORY_LIMIT = 2_000;
type Pump = (input: Shard) => Promise<void>;

/**
 * Runs a shard's pump forever, whatever it pumps: as long as something is due, then sleeps until the next thing is due or the shard is woken. Each kind of pump
 * is a workflow type of its own by name alone.
 */
async function pumpShard<Working extends string, Progress>(kind: Kind<Working, Progress>, { shard }: Shard): Promise<void> {
  let woken = false;
  let handled = 0;
  let state: Working | 'waiting' = kind.working;
  let nextDueAt: number | null = null;
  let moveTo: string | undefined;
  const dueText = (): string | null => (nextDueAt === null ? null : new Date(nextDueAt).toISOString());
  setHandler(kind.wake, () => void (woken = true));
  setHandler(kind.query, () => kind.progress({ handled, state, nextDueAt: dueText() }));

  for (;;) {
    woken = false;
    state = kind.working;
    setCurrentDetails(`Shard ${shard}: ${kind.says.working(moveTo)}`);
    const run = await kind.run(shard, moveTo);
    handled += run.handled;
    nextDueAt = run.nextDueAt ?? null;
    moveTo = run.moveTo;
    if (isHistoryLong(HISTORY_LIMIT)) await continueAsNew<Pump>({ shard });
    if (moveTo !== undefined || run.more) continue;
    state = 'waiting';
    setCurrentDetails(`Shard ${shard}: ${kind.says.waiting(handled, dueText())}`);
    if (nextDueAt === null) await condition(() => woken);
    else if (nextDueAt > Date.now()) await condition(() => woken, nextDueAt - Date.now(), { summary: kind.says.timer });
  }
}

const TIMES = { startToCloseTimeout: '1 hour', heartbeatTimeout: '10 seconds' } as const;

// A pump that fails waits for the database or for a worker: it is retried forever, and soon.
const pumpsAt = (taskQueue: string) =>
  summarizedActivities({
    ...TIMES,
    taskQueue,
    retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
  });

const { pumpDelivery } = pumpsAt('delivery');
const { pumpFanOut } = pumpsAt('pumps');
const { pumpWebhooks } = pumpsAt('http');

// With the worker of this task queue, which may be gone.
const only = (taskQueue: string) =>
  summarizedActivities({ ...TIMES, taskQueue, scheduleToStartTimeout: '3 seconds', retry: { maximumAttempts: 1 } });

/** Runs the pump where the last run left it; anywhere when that worker does not take it. */
async function deliver(shard: number, moveTo: string | undefined): Promise<PumpResult> {
  const now = Date.now();
  if (moveTo === undefined) return pumpDelivery({ shard, now });
  try {
    return await only(moveTo).pumpDelivery({ shard, now });
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return pumpDelivery({ shard, now: Date.now(), stay: true });
  }
}

/** Delivers the mail of one shard forever. */
export const deliveryPump = (input: DeliveryPumpInput): Promise<void> =>
  pumpShard(
    {
      wake: wakeDelivery,
      query: deliveryProgressQuery,
      progress: (standing) => standing,
      working: 'delivering',
      run: deliver,
      says: {
        working: (moveTo) => `delivering what is due${moveTo === undefined ? '' : ` at ${moveTo}`}`,
        waiting: (handled, nextDueAt) => `${handled} handled; next due ${nextDueAt ?? 'when mail is accepted'}`,
        timer: 'until the next message is due',
      },
    },
    input,
  );

/** Delivers the events of one shard forever. */
export const fanOutPump = (input: FanOutPumpInput): Promise<void> =>
  pumpShard(
    {
      wake: wakeFanOut,
      query: fanOutProgressQuery,
      progress: ({ handled, state }) => ({ handled, state }),
      working: 'handing on',
      run: (shard) => pumpFanOut({ shard }),
      says: {
        working: () => 'handing events on',
        waiting: (handled) => `${handled} handed on; waits for the next event`,
        timer: 'until the next event',
      },
    },
    input,
  );

/** Runs the deliveries of one shard forever, first attempts and retries. */
export const webhookPump = (input: WebhookPumpInput): Promise<void> =>
  pumpShard(
    {
      wake: wakeWebhooks,
      query: webhookProgressQuery,
      progress: (standing) => standing,
      working: 'delivering',
      run: (shard) => pumpWebhooks({ shard, now: Date.now() }),
      says: {
        working: () => 'delivering what is due',
        waiting: (handled, nextDueAt) => `${handled} attempts made; next due ${nextDueAt ?? 'when an event comes'}`,
        timer: 'until the next delivery is due',
      },
    },
    input,
  );
