import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';

export const SUPPRESSION_REASONS = ['hard_bounce', 'complaint', 'unsubscribe', 'manual'] as const;
const SUPPRESSION_SOURCES = ['smtp', 'dsn', 'arf', 'link', 'one_click', 'mailto', 'api', 'import', 'provider'] as const;

export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];
export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number];

/** The message through whose link a person opted out, and when: that link alone takes it back. */
export interface OptOutLink {
  readonly emailId: string;
  readonly at: Date;
}

/** A record that an address gets no mail, or no marketing mail. */
export interface Suppression {
  /** `addressId('sup', project.idSalt, email)`: one record for an address. */
  readonly _id: string;
  readonly projectId: string;
  readonly email: string;
  readonly reason: SuppressionReason;
  readonly source: SuppressionSource;
  /** Text of its author; absent or null without one. */
  readonly note?: string | null | undefined;
  readonly createdAt: Date;
  /** The opt-out that a blocking reason hides; it returns when that reason is removed. */
  readonly hiddenOptOut: { readonly source: SuppressionSource; readonly note?: string | null | undefined } | null;
  /** Set for an opt-out, hidden or not; null for one that came another way. */
  readonly optOutLink: OptOutLink | null;
}

/** Index of a project's list. */
export const NEWEST_INDEX = { projectId: 1, createdAt: -1, _id: -1 } as const;

const suppressionSchema = rowSchema<Suppression>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  email: { type: String, required: true },
  reason: { type: String, enum: SUPPRESSION_REASONS, required: true },
  source: { type: String, enum: SUPPRESSION_SOURCES, required: true },
  note: { type: String },
  createdAt: { type: Date, required: true },
  hiddenOptOut: { type: Schema.Types.Mixed, default: null },
  optOutLink: { type: Schema.Types.Mixed, default: null },
});
suppressionSchema.index(NEWEST_INDEX); // list a project's suppressions, newest first
suppressionSchema.index({ projectId: 1, reason: 1, createdAt: -1, _id: -1 }); // the same, for one reason

export const SuppressionModel = model<Suppression>('Suppression', suppressionSchema, 'suppressions');
