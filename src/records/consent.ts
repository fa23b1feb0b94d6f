import { randomBytes } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import { addressId, newId, sha256 } from '../platform/core';
import type { Context, PageRequest, ProjectFacts } from '../platform/core';
import { inOneAnswer, inTransaction, newestFirst, model, rowSchema } from '../platform/mongo';
import type { Page } from '../platform/mongo';
import { brokenAt, consentLink } from '../rules/consent-chain';
import type { ConsentHead as Head, VerifiedEntry } from '../rules/consent-chain';
import { cutText } from '../rules/cut-text';

export const CONSENT_KINDS = ['requested', 'confirmed', 'changed', 'withdrawn'] as const;
type ConsentKind = (typeof CONSENT_KINDS)[number];

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
interface ConsentHead {
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
const ConsentHeadModel = model<ConsentHead>('ConsentHead', headSchema, 'consent_heads');

/** An agreement, a request for one, or its withdrawal. Members that are absent are not known. */
export interface Consent {
  readonly contactId: string;
  readonly kind: ConsentKind;
  readonly source: string;
  readonly at: Date;
  readonly topicId?: string | null;
  readonly ip?: string | null;
  readonly userAgent?: string | null;
  readonly formId?: string | null;
  readonly emailId?: string | null;
  readonly text?: string | null;
}

const USER_AGENT_LENGTH = 400;

/** Returns a network address in the form in which the project's settings keep it. */
export function keptIp({ consent, idSalt }: Pick<ProjectFacts, 'consent' | 'idSalt'>, ip: string | null): string | null {
  const how = consent?.ip ?? 'hash';
  if (ip === null || how === 'off') return null;
  return how === 'full' ? ip : addressId('ip', idSalt, ip);
}

/** Adds entries to the ledger, in the transaction of the change that they record. Entries of one person are linked in their order. */
export async function recordConsent(session: ClientSession, projectId: string, consents: readonly Consent[]): Promise<void> {
  if (consents.length === 0) return;
  const before = await headsOf(session, projectId, [...new Set(consents.map(({ contactId }) => contactId))]);
  const heads = new Map<string, Head>(before);
  const rows: ConsentEntry[] = [];
  for (const consent of consents) {
    const row = entryAfter(heads.get(consent.contactId) ?? null, projectId, consent);
    heads.set(consent.contactId, row);
    rows.push(row);
  }
  await ConsentEntryModel.collection.insertMany(rows, { session });
  await ConsentHeadModel.collection.bulkWrite(
    [...heads].map(([_id, { sequence, hash }]) =>
      before.has(_id)
        ? { updateOne: { filter: { _id: _id, projectId }, update: { $set: { sequence, hash } } } }
        : { insertOne: { document: { _id, projectId, sequence, hash } } },
    ),
    { session, ordered: false },
  );
}

async function headsOf(session: ClientSession, projectId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Head>> {
  const found = await ConsentHeadModel.collection
    .find<ConsentHead>({ _id: { $in: [...ids] }, projectId }, { session, hint: '_id_', ...inOneAnswer(ids.length) })
    .toArray();
  return new Map(found.map((head) => [head._id, head]));
}

function entryAfter(head: Head | null, projectId: string, consent: Consent): ConsentEntry {
  const { contactId, kind, source, at, topicId = null, ip = null, formId = null, emailId = null, text = null } = consent;
  const userAgent = consent.userAgent ? cutText(consent.userAgent, USER_AGENT_LENGTH) : null;
  const details = { nonce: randomBytes(16).toString('base64url'), kind, topicId, source, ip, userAgent, formId, emailId };
  const { at: createdAt, ...link } = consentLink(head, at, { text, details }, sha256);
  return { _id: newId('cns', at.getTime()), projectId, contactId, createdAt, ...details, text, ...link, erasedAt: null };
}

/** Resolves to a page of a person's entries, newest first. */
export const consentOf = ({ projectId }: Context, contactId: string, request: PageRequest): Promise<Page<ConsentEntry>> =>
  newestFirst(ConsentEntryModel, { projectId, contactId }, request);

/** Resolves to a page of all entries of a project, newest first. */
export const allConsent = ({ projectId }: Context, request: PageRequest): Promise<Page<ConsentEntry>> =>
  newestFirst(ConsentEntryModel, { projectId }, request);

/** Resolves to whether anything is known of a person's consent. */
export const hasConsent = async ({ projectId }: Context, contactId: string): Promise<boolean> =>
  (await ConsentHeadModel.exists({ _id: contactId, projectId })) !== null;

/** The result of verifying a person's chain. */
interface Verification {
  readonly entries: number;
  /** The first entry that is not as it was written; `head` where entries are missing at the end. Null: all are intact. */
  readonly brokenAt: string | null;
}

/** Verifies a person's chain, as it is at one instant. */
export const verifyConsent = ({ projectId }: Context, contactId: string): Promise<Verification> =>
  inTransaction(async (session) => {
    const head = await ConsentHeadModel.findOne({ _id: contactId, projectId }, null, { session }).lean<ConsentHead>();
    const rows = await ConsentEntryModel.find({ projectId, contactId }, null, { session }).lean<ConsentEntry[]>();
    const inOrder = rows.sort((a, b) => a.sequence - b.sequence).map(verified);
    return { entries: inOrder.length, brokenAt: brokenAt(inOrder, head, sha256) };
  });

function verified({ _id, createdAt, erasedAt, ...row }: ConsentEntry): VerifiedEntry {
  const { kind, source, nonce } = row;
  const details = kind !== null && source !== null && nonce !== null ? { ...row, kind, source, nonce } : null;
  return { ...row, id: _id, at: createdAt, details, erased: erasedAt !== null };
}

const ERASED = { kind: null, source: null, nonce: null, topicId: null, ip: null, userAgent: null, formId: null, emailId: null, text: null };

/** Erases a person's entries up to an instant. Their hashes and times stay, so that the chain can be verified. Resolves to the number of entries. */
export async function eraseConsent(projectId: string, contactId: string, upTo: Date, now: Date): Promise<number> {
  const filter = { projectId, contactId, createdAt: { $lte: upTo }, erasedAt: null };
  return (await ConsentEntryModel.updateMany(filter, { $set: { ...ERASED, erasedAt: now } })).modifiedCount;
}
