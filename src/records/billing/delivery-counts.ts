import type { ClientSession } from 'mongoose';
import { perDatabase } from '../../platform/mongo';
import { Batcher } from '../../platform/batch';
import { DeliveryCountModel } from './model';

interface Counted {
  readonly projectId: string;
  readonly sent: number;
  readonly bounced: number;
}

/**
 * Adds live deliveries and hard bounces to the current hour of their projects; resolves when they are stored. What comes while a write is under way
 * goes together in the next one.
 */
export const countDeliveries = (counted: readonly Counted[]): Promise<void> => deliveryWriter().addAll(counted);

const deliveryWriter = perDatabase(
  () =>
    new Batcher<Counted>(async (counted) => {
      const sums = new Map<string, { sent: number; bounced: number }>();
      for (const { projectId, sent, bounced } of counted) {
        const sum = sums.get(projectId) ?? { sent: 0, bounced: 0 };
        sums.set(projectId, { sent: sum.sent + sent, bounced: sum.bounced + bounced });
      }
      const hour = currentHour();
      await DeliveryCountModel.collection.bulkWrite(
        [...sums].map(([projectId, sum]) => ({
          updateOne: {
            filter: { _id: `${projectId}/${hour.toISOString()}`, projectId },
            update: { $inc: sum, $setOnInsert: { hour } },
            upsert: true,
            hint: '_id_',
          },
        })),
        { ordered: false },
      );
    }),
);

const currentHour = (): Date => new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);

/**
 * Counts a hard bounce or a complaint of a message that was sent before, in the transaction that records it. In a row of its own: the deliveries' writer,
 * which is no transaction, does not meet it.
 */
export async function countReturned(session: ClientSession, projectId: string, counter: 'bounced' | 'complained'): Promise<void> {
  const hour = currentHour();
  await DeliveryCountModel.collection.updateOne(
    { _id: `${projectId}/${hour.toISOString()}/returned`, projectId },
    { $inc: { [counter]: 1 }, $setOnInsert: { hour } },
    { session, upsert: true, hint: '_id_' },
  );
}
