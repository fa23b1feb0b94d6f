import { DeliveryCountModel } from './model';

/** Live mail of a project since an instant. */
export interface Volume {
  readonly sent: number;
  readonly complained: number;
  /** Messages of the busiest UTC day. */
  readonly busiestDay: number;
}

/** Adds up a project's hourly counts since an instant. */
export async function volumeSince(projectId: string, since: Date): Promise<Volume> {
  const [row] = await DeliveryCountModel.aggregate<Volume>([
    { $match: { projectId, hour: { $gte: since } } },
    { $group: { _id: { $dateTrunc: { date: '$hour', unit: 'day' } }, sent: { $sum: '$sent' }, complained: { $sum: '$complained' } } },
    { $group: { _id: null, sent: { $sum: '$sent' }, complained: { $sum: '$complained' }, busiestDay: { $max: '$sent' } } },
    { $project: { _id: 0 } },
  ]);
  return row ?? { sent: 0, complained: 0, busiestDay: 0 };
}
