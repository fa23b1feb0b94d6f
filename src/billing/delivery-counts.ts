import { DeliveryCountModel } from './model';

export interface Counted {
  readonly projectId: string;
  readonly sent: number;
  readonly bounced: number;
}

/** Adds live deliveries and hard bounces to the current hour of their projects. */
export async function countDeliveries(counted: readonly Counted[]): Promise<void> {
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
  const sums = new Map<string, { sent: number; bounced: number }>();
  for (const { projectId, sent, bounced } of counted) {
    const sum = sums.get(projectId) ?? { sent: 0, bounced: 0 };
    sums.set(projectId, { sent: sum.sent + sent, bounced: sum.bounced + bounced });
  }
  for (const [projectId, sum] of sums) {
    await DeliveryCountModel.collection.updateOne(
      { _id: `${projectId}/${hour.toISOString()}` } as never,
      { $inc: sum, $setOnInsert: { projectId, hour } },
      { upsert: true },
    );
  }
}
