import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';
import type { Shown } from '../../rules/domains/answers';
import { RECORD_KEYS, RECORD_STATUSES } from '../../rules/domains/records';
import type { RecordKey, RecordStatuses } from '../../rules/domains/records';

const DOMAIN_STATUSES = ['pending', 'verified', 'failed'] as const;

/** A domain of a project, with what DNS said of it last. */
export interface Domain {
  readonly _id: string;
  readonly projectId: string;
  /** In small letters and ASCII form. */
  readonly domain: string;
  readonly status: (typeof DOMAIN_STATUSES)[number];
  /** It was taken as verified because the operator said so. */
  readonly development: boolean;
  readonly selector: string;
  /** PEM, sealed by `Secrets.encrypt`. */
  readonly dkimPrivateKey: string;
  readonly dkimPublicKey: string;
  readonly records: RecordStatuses;
  /** DNS's answers about each record at the last check; null until then. */
  readonly answers: Readonly<Record<RecordKey, Shown>> | null;
  /** When a record that a verified domain needs was first found missing. */
  readonly missingSince: { readonly ownership: Date | null; readonly dkim: Date | null };
  /** When the window of a pending domain began; null until its first check in the background. */
  readonly windowBeganAt: Date | null;
  readonly verifiedAt: Date | null;
  readonly lastCheckedAt: Date | null;
  /** When a check was last asked for by request. */
  readonly requestedAt: Date | null;
  /** When its workflow is to check it next; null when nothing is to come. */
  readonly nextCheckAt: Date | null;
  /** Grows with each check. */
  readonly revision: number;
  readonly createdAt: Date;
}

const instant = { type: Date, default: null };
const answer = new Schema<Shown>({ said: String, records: [String] }, { _id: false });

const domainSchema = rowSchema<Domain>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  domain: { type: String, required: true },
  status: { type: String, enum: DOMAIN_STATUSES, required: true },
  development: { type: Boolean, required: true },
  selector: { type: String, required: true },
  dkimPrivateKey: { type: String, required: true },
  dkimPublicKey: { type: String, required: true },
  records: new Schema(Object.fromEntries(RECORD_KEYS.map((key) => [key, { type: String, enum: RECORD_STATUSES }])), { _id: false }),
  answers: { type: new Schema(Object.fromEntries(RECORD_KEYS.map((key) => [key, answer])), { _id: false }), default: null },
  missingSince: new Schema({ ownership: instant, dkim: instant }, { _id: false }),
  windowBeganAt: instant,
  verifiedAt: instant,
  lastCheckedAt: instant,
  requestedAt: instant,
  nextCheckAt: instant,
  revision: { type: Number, required: true },
  createdAt: { type: Date, required: true },
});
domainSchema.index({ projectId: 1, domain: 1 }, { unique: true }); // From check, and one row for a domain in a project
domainSchema.index({ projectId: 1, status: 1, verifiedAt: 1 }); // a project's verified domains, first verified first
domainSchema.index({ projectId: 1, createdAt: -1, _id: -1 }); // list a project's domains, newest first
domainSchema.index({ domain: 1 }, { unique: true, partialFilterExpression: { status: 'verified' } }); // one project at a time has a domain
domainSchema.index({ nextCheckAt: 1 }, { partialFilterExpression: { nextCheckAt: { $type: 'date' } } }); // sweep: domains that no workflow checked in time

export const DomainModel = model<Domain>('Domain', domainSchema, 'domains');

/** Resolves to a verified domain of a project; null where it has none of the name. */
export const findVerified = (projectId: string, domain: string): Promise<Domain | null> =>
  DomainModel.findOne({ projectId, domain, status: 'verified' }).lean<Domain | null>();
