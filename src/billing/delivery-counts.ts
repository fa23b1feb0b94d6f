import { DeliveryCountModel } from './model';

export interface Counted {
  readonly projectId: string;
  readonly sent: number;
  readonly bounced: number;
}

type Sums = Map<string, { sent: number; bounced: number }>;

let waiting: { readonly sums: Sums; readonly done: Promise<void> } | null = null;
let writing: Promise<void> = Promise.resolve();

/**
 * Adds live deliveries and hard bounces to the current hour of their projects; resolves when they are stored. What comes while a write is under way
 * goes together in the next one.
 */
export function countDeliveries(counted: readonly Counted[]): Promise<void> {
  if (counted.length === 0) return Promise.resolve();
  if (!waiting) {
    const sums: Sums = new Map();
    const done = writing.then(() => {
      waiting = null;
      return write(sums);
    });
    writing = done.catch(() => undefined);
    waiting = { sums, done };
  }
  for (const { projectId, sent, bounced } of counted) {
    const sum = waiting.sums.get(projectId) ?? { sent: 0, bounced: 0 };
    waiting.sums.set(projectId, { sent: sum.sent + sent, bounced: sum.bounced + bounced });
  }
  return waiting.done;
}

async function write(sums: Sums): Promise<void> {
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
  await DeliveryCountModel.collection.bulkWrite(
    [...sums].map(([projectId, sum]) => ({
      updateOne: {
        filter: { _id: `${projectId}/${hour.toISOString()}` as never },
        update: { $inc: sum, $setOnInsert: { projectId, hour } },
        upsert: true,
      },
    })),
    { ordered: false },
  );
}
