import { perCore, newId } from './core';
import type { Core } from './core';
import { deliveryPumpId } from '../contracts/delivery';
import { fanOutPumpId } from '../contracts/fan-out';
import { webhookPumpId } from '../contracts/webhook';
import { withinLimit, answer } from './async';
import { Batcher, batched } from './batch';
import { perDatabase, model, rowSchema } from './mongo';

/** One tiny row per pump: how a running pump learns of new work without looking for it. */
interface Wake {
  /** The id of the pump's workflow. */
  readonly _id: string;
  /** Grows with each wake. */
  readonly sequence: number;
  /** Until when a pump promises to look at `sequence`; null while none runs. */
  readonly listeningUntil: Date | null;
  readonly listener: string | null;
  /** The run that listened last, also once it has ended. */
  readonly lastListener?: string | null;
  /** When the pump's workflow was signaled and has not run since. */
  readonly signalledAt: Date | null;
}

const wakeSchema = rowSchema<Wake>({
  _id: { type: String, required: true },
  sequence: { type: Number, default: 0 },
  listeningUntil: { type: Date, default: null },
  listener: { type: String, default: null },
  lastListener: { type: String },
  signalledAt: { type: Date, default: null },
});
export const WakeModel = model<Wake>('Wake', wakeSchema, 'wakes');

/** A pump renews its promise to listen well before it ends; a dead pump is noticed by Temporal before that. */
const LISTEN_MS = 15_000;
const RETRY_MS = 1_000;
const ANSWER_MS = 10_000;
/** One signal is enough for a pump that has not run yet: without a worker, more would pile up in its history. */
const SIGNAL_MS = 30_000;

type Waker = Pick<Core, 'processes' | 'log'>;

/**
 * Returns what wakes the pump of a shard: by its row when it listens, else by its workflow. What asks for it within a moment, or while it is under way, is one
 * wake; one that fails is tried again.
 */
function waker(pumpId: (shard: number) => string, signal: keyof Pick<Core['processes'], 'wakeDelivery' | 'wakeFanOut' | 'wakeWebhooks'>) {
  const wakes = perCore(
    (core: Waker) =>
      new Batcher(([shard = 0]: readonly number[]) => untilWoken(core, pumpId(shard), () => core.processes[signal](shard)), {
        keys: (shard) => [String(shard)],
      }),
  );
  return (core: Waker, shard: number): void => void wakes(core).add(shard);
}

/** Wakes the shard's delivery pump for new mail. */
export const wakeDelivery = waker(deliveryPumpId, 'wakeDelivery');

/** Wakes the shard's fan-out pump for new events. */
export const wakeFanOut = waker(fanOutPumpId, 'wakeFanOut');

/** Wakes the shard's webhook pump for new deliveries. */
export const wakeWebhooks = waker(webhookPumpId, 'wakeWebhooks');

/** Wakes the shard's webhook pump, for callers that retry on their own when it fails. */
export const wakeWebhooksNow = (core: Waker, shard: number): Promise<void> =>
  withinLimit(ANSWER_MS, () => wakeOnce(webhookPumpId(shard), () => core.processes.wakeWebhooks(shard)));

async function untilWoken(core: Waker, pump: string, signal: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await withinLimit(ANSWER_MS, () => wakeOnce(pump, signal));
    } catch (error) {
      core.log.warn({ err: error, pump }, 'A pump was not woken; trying again');
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    }
  }
}

async function wakeOnce(pump: string, signal: () => Promise<void>): Promise<void> {
  const row = (await noted()(pump)) ?? null;
  if (!isAware(row)) await signalled(pump, signal, row);
}

/** Notes wakes; of several pumps at the same time, as after messages that were stored together, in one write. Resolves to their rows as of then, or later. */
const noted = perDatabase(() =>
  batched<string, Wake>(async (pumps) => {
    const ours = { _id: { $in: [...pumps] } };
    if (pumps.length > 1) await WakeModel.collection.updateMany(ours, { $inc: { sequence: 1 } });
    const rows = pumps.length > 1 ? await WakeModel.collection.find<Wake>(ours).toArray() : [];
    const known = new Map(rows.map((row) => [row._id, row]));
    for (const pump of pumps) if (!known.has(pump)) known.set(pump, await noteOne(pump));
    return known;
  }),
);

const noteOne = (pump: string): Promise<Wake> =>
  WakeModel.findOneAndUpdate({ _id: pump }, { $inc: { sequence: 1 } }, { upsert: true, returnDocument: 'after' })
    .orFail()
    .lean<Wake>()
    .exec();

function isAware(row: Wake | null): boolean {
  const now = Date.now();
  const listens = row?.listeningUntil != null && row.listeningUntil.getTime() > now;
  return listens || (row?.signalledAt != null && row.signalledAt.getTime() > now - SIGNAL_MS);
}

/** Signals a pump, and notes that it was, unless it has run since: it may have come and gone before the note, which would keep the next signal back. */
async function signalled(pump: string, signal: () => Promise<void>, row: Wake | null): Promise<void> {
  const now = new Date();
  await signal();
  await WakeModel.updateOne({ _id: pump, listener: null, lastListener: row?.lastListener ?? null }, { $set: { signalledAt: now } });
}

/** Promises to look at the pump's row from now on. Resolves to the sequence to compare with. */
export async function listen(pump: string, listener: string): Promise<number> {
  const row = await WakeModel.findOneAndUpdate(
    { _id: pump },
    { $set: { listener, lastListener: listener, listeningUntil: new Date(Date.now() + LISTEN_MS), signalledAt: null } },
    { upsert: true, returnDocument: 'after' },
  ).lean<Wake>();
  return row?.sequence ?? 0;
}

/** Ends the promise unless somebody woke the pump meanwhile: then resolves to false, and there is more to do. */
async function stopListening(pump: string, listener: string, sequence: number): Promise<boolean> {
  const row = await WakeModel.findOneAndUpdate(
    { _id: pump, listener, sequence },
    { $set: { listener: null, listeningUntil: null, signalledAt: null } },
  ).lean();
  return row !== null || !(await isListener(pump, listener));
}

/** Ends the promise to listen unconditionally; the caller has to look for due work after it. */
async function leave(pump: string, listener: string): Promise<void> {
  await WakeModel.updateOne({ _id: pump, listener }, { $set: { listener: null, listeningUntil: null, signalledAt: null } });
}

const isListener = async (pump: string, listener: string): Promise<boolean> => (await WakeModel.exists({ _id: pump, listener })) !== null;

/** Resolves to the sequences of some pumps. */
async function sequences(pumps: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await WakeModel.collection.find<Wake>({ _id: { $in: [...pumps] } }).toArray();
  return new Map(rows.map(({ _id, sequence }) => [_id, sequence]));
}

/** Resolves to the pumps that read their row now. */
export async function listeningPumps(): Promise<ReadonlySet<string>> {
  const rows = await WakeModel.find({ listeningUntil: { $gt: new Date() } }).lean<Wake[]>();
  return new Set(rows.map(({ _id }) => _id));
}

/** Tells a run of a pump about new work: it promises to watch the pump's row, and polls it. */
export class Listener {
  private readonly id = newId('pmp');
  /** The pump's sequence as read before the last look for work: unchanged, it proves that nothing was missed. */
  private sequence = 0;
  private promisedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly pump: string,
    private readonly watch: WakeWatch,
    private readonly promiseMs: number,
  ) {}

  /** Renews the promise when it is time. To be called before each look for work. */
  async promise(): Promise<void> {
    if (performance.now() - this.promisedAt < this.promiseMs) return;
    this.promisedAt = performance.now();
    this.sequence = await answer(() => listen(this.pump, this.id));
  }

  /** Waits until the pump is woken, or a moment has passed. */
  async pause(): Promise<void> {
    this.sequence = await this.watch.changed(this.pump, this.sequence);
  }

  /** Resolves once the pump is woken, or after a moment; the next `pause` learns of it as well. */
  async woken(): Promise<void> {
    await this.watch.changed(this.pump, this.sequence);
  }

  /** Ends the promise unless somebody woke the pump meanwhile: then resolves to false, and there is more to do. */
  async stop(): Promise<boolean> {
    if (await answer(() => stopListening(this.pump, this.id, this.sequence))) return true;
    this.promisedAt = Number.NEGATIVE_INFINITY;
    return false;
  }

  /** Ends the promise, for a run that is to end at once. */
  leave(): Promise<void> {
    return answer(() => leave(this.pump, this.id));
  }
}

const POLL_MS = 15;
const LONGEST_MS = 500;
const WATCH_ANSWER_MS = 5_000;

interface Watcher {
  readonly pump: string;
  readonly seen: number;
  readonly until: number;
  readonly resolve: (sequence: number) => void;
}

/**
 * Notifies the pumps of a process when they are woken: one small query for all of them at a time, and none while no pump waits.
 * A change stream would make the server look at every entry of the oplog, most of which are e-mails.
 */
export class WakeWatch {
  private watchers: Watcher[] = [];
  private polling = false;

  /** Resolves to the pump's sequence when it is not `seen` any more, or after half a second. */
  changed(pump: string, seen: number): Promise<number> {
    return new Promise((resolve) => {
      this.watchers.push({ pump, seen, until: performance.now() + LONGEST_MS, resolve });
      if (!this.polling) void this.poll();
    });
  }

  private async poll(): Promise<void> {
    this.polling = true;
    while (this.watchers.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      const pumps = [...new Set(this.watchers.map(({ pump }) => pump))];
      const current = await withinLimit(WATCH_ANSWER_MS, () => sequences(pumps)).catch(() => new Map<string, number>());
      this.watchers = this.watchers.filter((watcher) => !isDone(watcher, current.get(watcher.pump)));
    }
    this.polling = false;
  }
}

function isDone({ seen, until, resolve }: Watcher, current: number | undefined): boolean {
  const changed = current !== undefined && current !== seen;
  if (!changed && performance.now() < until) return false;
  resolve(current ?? seen);
  return true;
}
