import type { Core } from '../context';
import { withinLimit } from '../time-limit';
import { WakeModel } from './wake-model';
import type { Wake } from './wake-model';

/** A pump renews its promise to listen well before it ends; a dead pump is noticed by Temporal before that. */
const LISTEN_MS = 15_000;
const RETRY_MS = 1_000;
const ANSWER_MS = 10_000;
/** One signal is enough for a pump that has not run yet: while no worker is there, they would pile up in its history. */
const SIGNAL_MS = 30_000;

type Waker = Pick<Core, 'processes' | 'log'>;

/** Shards with a wake under way, and whether another one is wanted after it. */
const underWay = new Map<number, { again: boolean }>();

/** Tells the shard's pump that there is new mail: by its row when it listens, else by its workflow. Coalesced; failures are tried again. */
export function wakeDelivery(core: Waker, shard: number): void {
  const current = underWay.get(shard);
  if (current) {
    current.again = true;
    return;
  }
  const state = { again: false };
  underWay.set(shard, state);
  withinLimit(ANSWER_MS, () => wake(core, shard))
    .catch((error: unknown) => {
      core.log.warn({ err: error, shard }, 'Delivery was not woken; trying again');
      state.again = true;
      return new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    })
    .finally(() => {
      underWay.delete(shard);
      if (state.again) wakeDelivery(core, shard);
    });
}

async function wake(core: Waker, shard: number): Promise<void> {
  const row = await WakeModel.findOneAndUpdate(
    { _id: shard },
    { $inc: { sequence: 1 } },
    { upsert: true, returnDocument: 'after' },
  ).lean<Wake>();
  const now = Date.now();
  if (row?.listeningUntil && row.listeningUntil.getTime() > now) return;
  if (row?.signalledAt && row.signalledAt.getTime() > now - SIGNAL_MS) return;
  await core.processes.wakeDelivery(shard);
  await WakeModel.updateOne({ _id: shard, listener: null }, { $set: { signalledAt: new Date(now) } });
}

/** Promises to look at the shard's row from now on. Resolves to the sequence to compare with. */
export async function listen(shard: number, listener: string): Promise<number> {
  const row = await WakeModel.findOneAndUpdate(
    { _id: shard },
    { $set: { listener, listeningUntil: new Date(Date.now() + LISTEN_MS), signalledAt: null } },
    { upsert: true, returnDocument: 'after' },
  ).lean<Wake>();
  return row?.sequence ?? 0;
}

/** Ends the promise unless somebody woke the shard meanwhile: then resolves to false, and there is more to do. */
export async function stopListening(shard: number, listener: string, sequence: number): Promise<boolean> {
  const row = await WakeModel.findOneAndUpdate(
    { _id: shard, listener, sequence },
    { $set: { listener: null, listeningUntil: null, signalledAt: null } },
  ).lean();
  return row !== null || !(await isListener(shard, listener));
}

const isListener = async (shard: number, listener: string): Promise<boolean> => (await WakeModel.exists({ _id: shard, listener })) !== null;

/** The sequences of some shards. */
export async function sequences(shards: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await WakeModel.collection.find<Wake>({ _id: { $in: [...shards] } } as never).toArray();
  return new Map(rows.map(({ _id, sequence }) => [_id, sequence]));
}

/** Shards whose pump looks at its row now. */
export async function listeningShards(): Promise<ReadonlySet<number>> {
  const rows = await WakeModel.find({ listeningUntil: { $gt: new Date() } }).lean<Wake[]>();
  return new Set(rows.map(({ _id }) => _id));
}
