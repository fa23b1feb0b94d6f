import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';
import type { Place } from '../../rules/person-limits';

/** A place that a message takes. */
export interface StoredPlace extends Place {
  /** Set for a campaign's message, whose row is written after it was sent. */
  readonly campaignId?: string;
}

/** The messages to a person that one limit counts. */
export interface PersonLimitRow {
  /** `<contactId>/<key of the limit>`. The first is a keyed hash of the address, whether or not it has a contact. */
  readonly _id: string;
  readonly projectId: string;
  readonly contactId: string;
  readonly places: readonly StoredPlace[];
  /** The end of its last window; absent where there is none. */
  readonly expiresAt?: Date;
}

const limitSchema = rowSchema<PersonLimitRow>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  contactId: { type: String, required: true },
  places: { type: [Schema.Types.Mixed], required: true } as never,
  expiresAt: { type: Date },
});
limitSchema.index({ projectId: 1, contactId: 1 }); // erasure of a person, removal of a project
limitSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 3_600 }); // windows that have ended; later than any clock is wrong

export const PersonLimitModel = model<PersonLimitRow>('PersonLimit', limitSchema, 'person_limits');
