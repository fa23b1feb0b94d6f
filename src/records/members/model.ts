import { Schema } from 'mongoose';
import { model } from '../../platform/mongo';

/** Time for which a person is known who is in no project any more: as long as the audit may name the person. */
const KEPT_SECONDS = 400 * 86_400;

/** An account at an OpenID provider: no two accounts of an issuer have the same subject. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** A person who signs in, in any number of projects. Their roles are with the projects. */
export interface Person {
  readonly _id: string;
  /** In lower case; no two persons have the same. */
  readonly address: string;
  readonly name: string | null;
  readonly createdAt: Date;
  /** The account that the person signs in with; null, or absent, of a person without one. */
  readonly identity?: Identity | null;
  /** Since when the person is in no project; null for a person who is in one. */
  readonly leftAt: Date | null;
  /** Grows when the person joins or leaves a project, so that two such changes at once meet (docs/decisions/0021). */
  readonly changes: number;
}

const personSchema = new Schema<Person>(
  {
    _id: { type: String, required: true },
    address: { type: String, required: true },
    name: { type: String, default: null },
    createdAt: { type: Date, required: true },
    identity: {
      type: new Schema<Identity>({ issuer: { type: String, required: true }, subject: { type: String, required: true } }, { _id: false }),
      default: null,
    },
    leftAt: { type: Date, default: null },
    changes: { type: Number, default: 0 },
  },
  { strict: 'throw', versionKey: false },
);
personSchema.index({ address: 1 }, { unique: true }); // who signs in or is added
personSchema.index(
  { 'identity.issuer': 1, 'identity.subject': 1 },
  { unique: true, partialFilterExpression: { 'identity.subject': { $type: 'string' } } },
); // who signs in with a provider
personSchema.index({ leftAt: 1 }, { expireAfterSeconds: KEPT_SECONDS }); // the end of a person who left

export const PersonModel = model<Person>('Person', personSchema, 'persons');
