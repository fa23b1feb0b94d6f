import type { ClientSession } from 'mongoose';
import { notFound } from '../../platform/core';
import type { Context } from '../../platform/core';
import { inTransaction, databaseNow } from '../../platform/mongo';
import { suppressAll, suppressMany } from '../../records/suppressions';
import type { NewSuppression, SuppressionReason } from '../../records/suppressions';
import { changed, writeContacts } from './change';
import { ContactModel } from './model';
import type { Contact } from './model';
import { forgetOptOuts, keepOptOuts } from './opt-outs';
import { detachNow, noteDetachment } from './erasures';
import type { ContactErasure } from './erasures';
import { contactIdFor, contactIdOf } from './service';
import { emit } from '../../records/events';
import { countFields, fieldCounts } from './fields';
import { onContactsRemoved } from './hooks';
import { keepTopics } from './kept-topics';

const CHUNK = 200;

type BulkAction = 'subscribe' | 'unsubscribe' | 'delete' | 'suppress';

export interface BulkRequest {
  readonly action: BulkAction;
  /** Exactly one of the two. */
  readonly contactIds?: readonly string[] | undefined;
  readonly emails?: readonly string[] | undefined;
  /** Why addresses are suppressed. */
  readonly reason?: SuppressionReason | undefined;
}

export interface BulkResult {
  /** Contacts that were named, each once; of `suppress`, every address that was named. */
  readonly matched: number;
  /** Contacts that it changed. */
  readonly changed: number;
  /** The ids or addresses that are no contact's. */
  readonly missing: readonly string[];
}

/** Done in a transaction; what the result stands for beyond that is done after its commit. */
interface Done {
  readonly changed: number;
  after?(): Promise<void>;
}

type Action = (session: ClientSession, ctx: Context, contacts: readonly Contact[], reason: SuppressionReason) => Promise<Done>;

/**
 * Does the same to many contacts, `CHUNK` in a transaction; `suppress` also takes addresses that are no contact's. A repetition changes nothing more.
 */
export function changeContacts(ctx: Context, request: BulkRequest): Promise<BulkResult> {
  const { action, emails, reason = 'manual' } = request;
  return action === 'suppress' && emails ? suppressAddresses(ctx, [...new Set(emails)], reason) : changeNamed(ctx, request);
}

// A suppression is of an address, whether or not that is a contact's.
async function suppressAddresses(ctx: Context, emails: readonly string[], reason: SuppressionReason): Promise<BulkResult> {
  const count = await suppressMany(ctx.project, newSuppressions(emails, reason));
  return { matched: emails.length, changed: count, missing: [] };
}

function newSuppressions(emails: readonly string[], reason: SuppressionReason): readonly NewSuppression[] {
  const at = new Date();
  return emails.map((email) => ({ email, reason, source: 'api', at }));
}

async function changeNamed(ctx: Context, { action, contactIds, emails, reason = 'manual' }: BulkRequest): Promise<BulkResult> {
  const named = emails
    ? emails.map((email) => [contactIdFor(ctx.project, email), email] as const)
    : (contactIds ?? []).map((id) => [id, id] as const);
  const wanted = [...new Map(named)];
  const result = { matched: 0, changed: 0, missing: [] as string[] };
  for (let start = 0; start < wanted.length; start += CHUNK) {
    const chunk = wanted.slice(start, start + CHUNK);
    const { found, done } = await inTransaction(async (session) => {
      const filter = { _id: { $in: chunk.map(([id]) => id) }, projectId: ctx.projectId };
      const contacts = await ContactModel.find(filter, null, { session }).lean<Contact[]>();
      return { found: contacts, done: contacts.length > 0 ? await ACTIONS[action](session, ctx, contacts, reason) : { changed: 0 } };
    });
    await done.after?.();
    const ids = new Set(found.map(({ _id }) => _id));
    result.matched += found.length;
    result.changed += done.changed;
    result.missing.push(...chunk.filter(([id]) => !ids.has(id)).map(([, name]) => name));
  }
  return result;
}

async function setSubscribed(session: ClientSession, ctx: Context, contacts: readonly Contact[], subscribed: boolean): Promise<Done> {
  const at = new Date();
  const emails = contacts.map(({ email }) => email);
  if (subscribed) await forgetOptOuts(session, ctx.project, emails);
  const changes = contacts.map((contact) => changed(contact, { subscribed }, at));
  await writeContacts(session, ctx.projectId, changes, { source: 'api', testMode: ctx.testMode, at });
  return { changed: changes.filter((change) => change.changed.length > 0).length };
}

const ACTIONS: Readonly<Record<BulkAction, Action>> = {
  subscribe: (session, ctx, contacts) => setSubscribed(session, ctx, contacts, true),
  unsubscribe: (session, ctx, contacts) => setSubscribed(session, ctx, contacts, false),
  delete: async (session, ctx, contacts) => {
    const rows = await removeContacts(session, ctx, contacts);
    return { changed: contacts.length, after: () => detachNow(ctx.core, rows) };
  },
  suppress: async (session, ctx, contacts, reason) => {
    const emails = contacts.map(({ email }) => email);
    return { changed: await suppressAll(session, ctx.project, newSuppressions(emails, reason)) };
  },
};

/**
 * Deletes a contact with its memberships; its e-mails and events stay without a contact, and are erased. `which` is an id or an address.
 * Throws `not_found`.
 */
export async function deleteContact(ctx: Context, which: string): Promise<void> {
  const filter = { _id: contactIdOf(ctx, which), projectId: ctx.projectId };
  const rows = await inTransaction(async (session) => {
    const contact = await ContactModel.findOne(filter, null, { session }).lean<Contact>();
    if (!contact) throw notFound('Contact');
    return removeContacts(session, ctx, [contact]);
  });
  await detachNow(ctx.core, rows);
}

/** Deletes contacts that the transaction has read. After the commit the caller passes the result to `detachNow`. */
async function removeContacts(session: ClientSession, ctx: Context, contacts: readonly Contact[]): Promise<readonly ContactErasure[]> {
  const { projectId, testMode } = ctx;
  if (contacts.length === 0) return [];
  const ids = contacts.map(({ _id }) => _id);
  const at = await databaseNow();
  await ContactModel.deleteMany({ _id: { $in: ids }, projectId }, { session });
  await keepOptOuts(session, ctx.project, contacts, at);
  await keepTopics(session, projectId, contacts);
  for (const takePart of onContactsRemoved.answers) await takePart(session, ctx, contacts, at);
  const deltas = contacts.flatMap(({ data }) => fieldCounts(data, null));
  await countFields(session, projectId, deltas);
  const event = { projectId, name: 'contact.deleted', testMode, at };
  const events = ids.map((contactId) => ({ ...event, contactId, data: { source: 'api', contactId } }));
  await emit(session, events);
  return noteDetachment(session, projectId, ids, at);
}
