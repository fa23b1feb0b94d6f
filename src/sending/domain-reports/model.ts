import { Schema } from 'mongoose';
import type { Disposition, PublishedPolicy, TlsPolicy } from '../../message/domain-reports';
import { model, rowSchema } from '../../platform/mongo';

/** Mail from one address with the same judgment. */
export interface Source {
  readonly ip: string;
  readonly messages: number;
  readonly disposition: Disposition;
  /** Passed, with a domain that aligns with From. */
  readonly dkim: boolean;
  readonly spf: boolean;
  /** Carries a valid signature by the domain's own key: Lettermill sent it, even if another host handed it over last. */
  readonly ours: boolean;
  /** The domain that a signature or the envelope proves, if one does. */
  readonly sender: string | null;
}

/** The part of one report that is about one domain of a project. */
export interface StoredReport {
  /** Derived from project, domain, reporter and the report's own id: the same report again is the same row. */
  readonly _id: string;
  readonly projectId: string;
  readonly domain: string;
  readonly kind: 'dmarc' | 'tls';
  /** Organizational domain that the mail with the report was proved to come from. */
  readonly reporter: string;
  /** Name of the organization, as it calls itself. */
  readonly organization: string;
  readonly reportId: string;
  readonly from: Date;
  readonly to: Date;
  /** The UTC day in which the middle of its period lies. */
  readonly day: Date;
  /** DMARC only; sums of `sources`. */
  readonly policy?: PublishedPolicy;
  readonly sources?: readonly Source[];
  readonly messages?: number;
  readonly aligned?: number;
  readonly ours?: number;
  /** TLS only. */
  readonly tls?: readonly Omit<TlsPolicy, 'domain'>[];
  readonly createdAt: Date;
}

/** Index of a domain's reports of one kind, by day. */
export const DAY_INDEX = { projectId: 1, domain: 1, kind: 1, day: 1 } as const;

const reportSchema = rowSchema<StoredReport>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  domain: { type: String, required: true },
  kind: { type: String, enum: ['dmarc', 'tls'], required: true },
  reporter: { type: String, required: true },
  organization: { type: String, default: '' },
  reportId: { type: String, required: true },
  from: { type: Date, required: true },
  to: { type: Date, required: true },
  day: { type: Date, required: true },
  policy: { type: Schema.Types.Mixed },
  sources: { type: [Schema.Types.Mixed], default: undefined },
  messages: { type: Number },
  aligned: { type: Number },
  ours: { type: Number },
  tls: { type: [Schema.Types.Mixed], default: undefined },
  createdAt: { type: Date, required: true },
});
reportSchema.index(DAY_INDEX); // what reports say of a domain in a span of days
reportSchema.index({ projectId: 1, day: 1 }); // retention: the oldest of a project
export const DomainReportModel = model<StoredReport>('DomainReport', reportSchema, 'domain_reports');

/** Number of messages that a project sent from each of its domains on a day, counted once the day is over and a report on it has come. */
export interface SentDay {
  /** `<projectId>/<day as ISO 8601>` */
  readonly _id: string;
  readonly projectId: string;
  readonly day: Date;
  readonly domains: readonly { readonly domain: string; readonly sent: number }[];
}

const sentDaySchema = rowSchema<SentDay>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  day: { type: Date, required: true },
  domains: { type: [Schema.Types.Mixed], required: true },
});
sentDaySchema.index({ projectId: 1, day: 1 }); // a span of a project's days; retention: the oldest
export const SentDayModel = model<SentDay>('SentDay', sentDaySchema, 'domain_sent_days');
