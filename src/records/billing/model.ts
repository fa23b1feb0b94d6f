import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';
import type { EmailSource } from '../emails';

/**
 * A stripe of what a project used in one calendar month (UTC): the month is the sum of its stripes. Changed only in the transaction that accepts, cancels or
 * receives the message.
 */
export interface Usage {
  /** `<projectId>/<YYYY-MM>/<number of the stripe>` */
  readonly _id: string;
  readonly used: number;
  readonly credits: number;
  readonly categories: Readonly<Record<EmailSource, number>>;
  /** Number of transactions that excluded all others from the month. */
  readonly holds?: number;
}

const count = { type: Number, default: 0 };

const usageSchema = rowSchema<Usage>({
  _id: { type: String, required: true },
  used: count,
  credits: count,
  categories: {
    type: new Schema({ transactional: count, campaign: count, workflow: count, inbound: count }, { _id: false }),
    default: () => ({}),
  },
  holds: { type: Number },
});
export const UsageModel = model<Usage>('Usage', usageSchema, 'usage');

/** Counts from which reputation is computed: live mail of one project in one hour, without the simulator. */
export interface DeliveryCount {
  /** `<projectId>/<hour as ISO 8601>`, and the same with `/returned` for what came back later. */
  readonly _id: string;
  readonly projectId: string;
  readonly hour: Date;
  readonly sent: number;
  readonly bounced: number;
  readonly complained: number;
}

const deliveryCountSchema = rowSchema<DeliveryCount>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  hour: { type: Date, required: true },
  sent: count,
  bounced: count,
  complained: count,
});
deliveryCountSchema.index({ projectId: 1, hour: 1 }); // sum a project's windows
export const DeliveryCountModel = model<DeliveryCount>('DeliveryCount', deliveryCountSchema, 'delivery_counts');
