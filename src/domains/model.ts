import { Schema, model } from 'mongoose';
import type { InferSchemaType } from 'mongoose';
import { newId } from '../ids';

const DOMAIN_STATUSES = ['pending', 'verified', 'failed'] as const;

const domainSchema = new Schema(
  {
    _id: { type: String, default: () => newId('dom') },
    projectId: { type: String, required: true },
    domain: { type: String, required: true },
    status: { type: String, enum: DOMAIN_STATUSES, default: 'pending' },
    selector: { type: String, required: true },
    /** PEM, sealed by `Secrets.encrypt`. */
    dkimPrivateKey: { type: String, required: true },
    dkimPublicKey: { type: String, required: true },
    verifiedAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
  },
  { strict: 'throw', versionKey: false },
);
domainSchema.index({ projectId: 1, domain: 1 }, { unique: true }); // From check, and one row for a domain in a project
domainSchema.index({ projectId: 1, status: 1, verifiedAt: 1 }); // a project's verified domains, first verified first

export type Domain = InferSchemaType<typeof domainSchema> & { _id: string };
export const DomainModel = model('Domain', domainSchema, 'domains');
