import { model, rowSchema } from '../../platform/mongo';

export const CONSENT_KINDS = ['requested', 'confirmed', 'changed', 'withdrawn'] as const;
export type ConsentKind = (typeof CONSENT_KINDS)[number];

/** A person's agreement or its withdrawal, and how it happened. Rows are added and erased, and never changed otherwise. */
export interface ConsentEntry {
  readonly _id: string;
  readonly projectId: string;
  /** The id that belongs to the address, also if no contact has it. */
  readonly contactId: string;
  readonly createdAt: Date;
  /** These are null once the person is erased. */
  readonly kind: ConsentKind | null;
  readonly source: string | null;
  readonly nonce: string | null;
  readonly topicId: string | null;
  /** Kept as the project's settings say: whole, as a keyed hash, or null. */
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly formId: string | null;
  readonly emailId: string | null;
  /** The text that the person saw, word by word; null if there was nothing to agree to. */
  readonly text: string | null;
  readonly textHash: string | null;
  /** The chain (`src/rules/consent-chain.ts`). */
  readonly sequence: number;
  readonly detailsHash: string;
  readonly previousHash: string | null;
  readonly hash: string;
  readonly erasedAt: Date | null;
}

/** The end of a person's chain. All entries of one person write this row, so that concurrent ones are added in sequence. */
export interface ConsentHead {
  /** The contact's id. */
  readonly _id: string;
  readonly projectId: string;
  readonly sequence: number;
  readonly hash: string;
}

const text = { type: String, default: null };

const entrySchema = rowSchema<ConsentEntry>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  contactId: { type: String, required: true },
  createdAt: { type: Date, required: true },
  kind: { type: String, enum: [...CONSENT_KINDS, null], default: null },
  source: text,
  nonce: text,
  topicId: text,
  ip: text,
  userAgent: text,
  formId: text,
  emailId: text,
  text,
  textHash: text,
  sequence: { type: Number, required: true },
  detailsHash: { type: String, required: true },
  previousHash: text,
  hash: { type: String, required: true },
  erasedAt: { type: Date, default: null },
});
entrySchema.index({ projectId: 1, contactId: 1, createdAt: -1, _id: -1 }); // a person's entries, newest first, and their erasure
entrySchema.index({ projectId: 1, createdAt: -1, _id: -1 }); // export of a project's entries

const headSchema = rowSchema<ConsentHead>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  sequence: { type: Number, required: true },
  hash: { type: String, required: true },
});
headSchema.index({ projectId: 1 }); // removal of a project

export const ConsentEntryModel = model<ConsentEntry>('ConsentEntry', entrySchema, 'consent_entries');
export const ConsentHeadModel = model<ConsentHead>('ConsentHead', headSchema, 'consent_heads');
