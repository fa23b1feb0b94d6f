import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';
import type { EmailSource } from '../emails';

/** Counters of live mail, as it happens. */
export const COUNTERS = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained', 'failed', 'unsubscribed', 'received'] as const;
export type Counter = (typeof COUNTERS)[number];

/** The sources that send. Inbound mail is `received`, and nothing else happens to it. */
export const SENDING_SOURCES = ['transactional', 'campaign', 'workflow'] as const satisfies readonly EmailSource[];

/**
 * Figures of a project's mail in one hour, by source. An hour has several rows: writers that share none do not wait for each other, so only
 * the sum means something.
 */
export type MailHour = {
  /** `<projectId>/<hour as ISO 8601>/<writer>` */
  readonly _id: string;
  readonly projectId: string;
  /** Its beginning, UTC. */
  readonly hour: Date;
} & Readonly<Partial<Record<EmailSource, Readonly<Partial<Record<Counter, number>>>>>>;

const counts = new Schema(Object.fromEntries(COUNTERS.map((counter) => [counter, { type: Number }])), { _id: false });

const mailHourSchema = rowSchema<MailHour>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  hour: { type: Date, required: true },
  transactional: { type: counts },
  campaign: { type: counts },
  workflow: { type: counts },
  inbound: { type: counts },
});
mailHourSchema.index({ projectId: 1, hour: 1 }); // sum a span of a project's hours
export const MailHourModel = model<MailHour>('MailHour', mailHourSchema, 'mail_hours');
