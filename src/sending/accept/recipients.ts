import { LRUCache } from 'lru-cache';
import { batched } from '../../platform/batch';
import { contactIdFor, findReaders, keptTopicsOf } from '../../audience/contacts';
import type { Reader } from '../../audience/contacts';
import { merged, perCore, sendFailed } from '../../platform/core';
import type { Context } from '../../platform/core';
import { TemplateRenderError } from '../../message/template';
import type { ContactFields, SystemValues } from '../../message/template';
import { comesAgain, ownContentId } from '../../records/emails';
import { suppressionsOfContacts } from '../../records/suppressions';
import type { Suppression } from '../../records/suppressions';
import { personName } from '../../rules/person-name';
import { refusal } from '../../rules/refusal';
import type { Refusal } from '../../rules/refusal';
import type { TopicChoices } from '../../rules/topics';
import { isSimulated } from '../../rules/simulator';
import { asOneMessage, isCopied, onlyOnce, recipientsOf } from './requests';
import { isKept, keeper, resultOf, storeAttachments } from './draft';
import type { Draft, PreparedRecipient, Recipient, SendMessage, Result, YieldWhenDue } from './types';
import { Clocks, openingFrom, zoneFor, sendTimeIn } from '../../rules/send-windows';

/** Returns when a message goes by its windows, at the time that was asked for or at the next opening after it. */
function sendTimeOf(
  { windows, message: { sendAt } }: Draft,
  contact: Reader | null,
  at: Date,
): Pick<PreparedRecipient, 'sendAt' | 'opensFrom'> & { readonly never: Refusal | null } {
  if (!windows) return { sendAt, never: null };
  const timing = { windows, localTime: null };
  const clocks = new Clocks();
  const zone = zoneFor(timing, contact?.timezone, clocks);
  const now = (sendAt ?? at).getTime();
  const sendTime = sendTimeIn(timing, zone, { start: now, from: now, now }, clocks);
  if ('never' in sendTime) return { sendAt, never: { reason: 'limit_reached', detail: { window: sendTime.never } } };
  return {
    sendAt: sendTime.at === now ? sendAt : new Date(sendTime.at),
    opensFrom: openingFrom(windows, contact?.timezone, clocks),
    never: null,
  };
}

/** Looks up the contacts and suppressions of all recipients of the request together. */
export async function lookUpRecipients(ctx: Context, drafts: readonly Result<Draft>[]): Promise<Addressees> {
  const emails = new Set<string>();
  const inTopics = new Set<string>();
  for (const draft of drafts) {
    if (!('ok' in draft)) continue;
    for (const { email } of recipientsOf(draft.ok.message)) {
      emails.add(email);
      if (draft.ok.topic) inTopics.add(email);
    }
  }
  const known = await addressees(ctx, emails);
  return inTopics.size === 0 ? known : withKeptTopics(ctx, known, inTopics);
}

/** Adds which topics those have left who are no contacts. */
async function withKeptTopics({ projectId }: Context, known: Addressees, emails: ReadonlySet<string>): Promise<Addressees> {
  const strangers = [...known].filter(([email, { contact }]) => contact === null && emails.has(email));
  const kept = await keptTopicsOf(
    projectId,
    strangers.map(([, { contactId }]) => contactId),
  );
  if (kept.size === 0) return known;
  return new Map([...known].map(([email, one]) => [email, { ...one, kept: kept.get(one.contactId) }] as const));
}

/** Renders each draft for each of its recipients, and stores its attachments. */
export async function renderForRecipients(
  ctx: Context,
  drafts: readonly Result<Draft>[],
  known: Addressees,
  yieldWhenDue: YieldWhenDue,
): Promise<readonly Result<Draft>[]> {
  const rendering = {
    ctx,
    shared: sharedContents(drafts),
    known,
    keep: keeper(),
    yieldWhenDue,
  };
  const rendered: Result<Draft>[] = [];
  for (const draft of drafts) rendered.push('failed' in draft ? draft : await renderDraft(draft.ok, rendering));
  return rendered;
}

interface Rendering {
  readonly ctx: Context;
  readonly shared: ReadonlySet<string>;
  readonly known: Addressees;
  readonly keep: ReturnType<typeof keeper>;
  readonly yieldWhenDue: YieldWhenDue;
}

async function renderDraft(draft: Draft, { ctx, shared, known, keep, yieldWhenDue }: Rendering): Promise<Result<Draft>> {
  const { message, contentHash } = draft;
  const lists = ctx.testMode || message.isTrial === true;
  const each: PreparedRecipient[] = [];
  for (const recipient of onlyOnce(recipientsOf(message))) {
    const addressed = known.get(recipient.email);
    if (!addressed) throw new Error('An addressee was not looked up');
    const [first] = isCopied(message) ? each : [];
    const made = resultOf(() => (first ? renderCopy(draft, recipient, addressed, first) : renderFor(draft, recipient, addressed, lists)));
    if ('failed' in made) return made;
    keep(draft, made.ok);
    each.push(made.ok);
    await yieldWhenDue();
  }
  const recipients = asOneMessage(draft, each, known);
  const contentId = isKept(message) ? contentIdOf(message, shared.has(contentHash), contentHash) : null;
  const attachmentRefs = await storeAttachments(ctx, draft, recipients);
  return { ok: merged(draft, { recipients, attachmentRefs, contentId }) };
}

/** Returns where content is stored; null where it is in the messages. Copies read what was written for one person: it is theirs alone, and goes with that person. */
function contentIdOf(message: SendMessage, isShared: boolean, contentHash: string): string | null {
  if (isShared) return contentHash;
  return isCopied(message) ? ownContentId(contentHash) : null;
}

/** Finds content that more than one message of the request uses, which is stored apart from them. */
function sharedContents(drafts: readonly Result<Draft>[]): ReadonlySet<string> {
  const shared = new Set<string>();
  for (const draft of drafts) {
    if ('failed' in draft) continue;
    const { contentHash, message } = draft.ok;
    if (!isKept(message)) continue;
    const again = comesAgain(contentHash, message.to[0]?.email ?? '');
    const isForMany = !isCopied(message) && recipientsOf(message).length > 1;
    if (again || isForMany || message.templateId !== null) shared.add(contentHash);
  }
  return shared;
}

export interface Addressee {
  readonly contactId: string;
  readonly contact: Reader | null;
  /** Null for simulator addresses, to which suppressions do not apply. */
  readonly suppression: Suppression | null;
  /** The topics that someone left who is no contact; looked up for mail that has a topic. */
  readonly kept?: TopicChoices | undefined;
}

type Lookup = (email: string) => Promise<Addressee | undefined>;

/** One lookup per project: the requests of one iteration of the event loop share its two queries. */
const lookupsOf = perCore(() => new LRUCache<string, Lookup>({ max: 1_000 }));

/** From this many addresses on, a request makes queries of its own. */
const MANY = 100;

type Addressees = ReadonlyMap<string, Addressee>;

/** Looks up contacts and suppressions of some addresses, as of no earlier than the call. */
async function addressees(ctx: Context, emails: ReadonlySet<string>): Promise<Addressees> {
  if (emails.size >= MANY) return lookUp(whereabouts(ctx), [...emails]);
  const found = await Promise.all([...emails].map(async (email) => [email, await addressee(ctx, email)] as const));
  return new Map(found.flatMap(([email, known]) => (known ? [[email, known]] : [])));
}

/** Looks up the contact and the suppression of an address, as of no earlier than the call. */
export function addressee(ctx: Context, email: string): Promise<Addressee | undefined> {
  const where = whereabouts(ctx);
  const lookups = lookupsOf(ctx.core);
  let lookup = lookups.get(where._id);
  if (!lookup) lookups.set(where._id, (lookup = batched((emails) => lookUp(where, emails))));
  return lookup(email);
}

interface Whereabouts {
  readonly _id: string;
  readonly idSalt: string;
  readonly platformDomain: string;
}

const whereabouts = ({ core, project: { _id, idSalt } }: Context): Whereabouts => ({
  _id,
  idSalt,
  platformDomain: core.config.PLATFORM_DOMAIN,
});

async function lookUp(project: Whereabouts, emails: readonly string[]): Promise<Addressees> {
  const ids = emails.map((email) => contactIdFor(project, email));
  const [contacts, suppressions] = await Promise.all([findReaders(project._id, ids), suppressionsOfContacts(project._id, ids)]);
  const known = new Map<string, Addressee>();
  for (const [at, contactId] of ids.entries()) {
    const email = emails[at] as string;
    const suppression = isSimulated(email, project.platformDomain) ? null : (suppressions.get(contactId) ?? null);
    known.set(email, { contactId, contact: contacts.get(contactId) ?? null, suppression });
  }
  return known;
}

/** Placeholder links for a message that does not exist yet: this rendering is only checked. */
export const SPECIMEN: SystemValues = {
  unsubscribeUrl: 'https://example.invalid/u/',
  preferencesUrl: 'https://example.invalid/p/',
  viewInBrowserUrl: 'https://example.invalid/v/',
  get year() {
    return new Date().getUTCFullYear();
  },
};

/** More placeholders than this are not listed. */
const MOST_NAMED = 100;
const NONE_UNRESOLVED: readonly string[] = [];
const PLAIN = { trackLink: null, pixelUrl: null, unsubscribeFooter: false };

/** Renders a draft for one recipient, as of `at`; `lists` the placeholders that resolve to nothing. Throws `send_failed`. */
export function renderFor(draft: Draft, recipient: Recipient, addressed: Addressee, lists = false, at = new Date()): PreparedRecipient {
  const { message } = draft;
  const createsContact = !addressed.contact && message.createContact;
  const fields = contactFields(recipient, addressed, createsContact);
  const reader = message.locale === undefined ? fields : { ...fields, locale: message.locale };
  const own = draft.contentIn?.(reader.locale);
  const { content } = own ?? draft;
  const values = content.valuesFor(message.variables, reader);
  return {
    ...recipientFacts(draft, recipient, addressed, at),
    own,
    subject: rendered(() => content.write(values, SPECIMEN, PLAIN).subject),
    values: JSON.stringify(values),
    unresolved: lists ? rendered(() => content.missing(values, SPECIMEN)).slice(0, MOST_NAMED) : NONE_UNRESOLVED,
  };
}

/** Returns the recipient of a copy, who reads the first recipient's text. */
const renderCopy = (
  draft: Draft,
  recipient: Recipient,
  addressed: Addressee,
  { own, subject, values, unresolved }: PreparedRecipient,
): PreparedRecipient => ({
  ...recipientFacts(draft, recipient, addressed, new Date()),
  own,
  subject,
  values,
  unresolved,
});

/** Returns a prepared recipient without its text. */
function recipientFacts(
  draft: Draft,
  { email, name }: Recipient,
  addressed: Addressee,
  at: Date,
): Omit<PreparedRecipient, 'own' | 'subject' | 'values' | 'unresolved'> {
  const { contactId, contact } = addressed;
  const { never, ...sendTime } = sendTimeOf(draft, contact, at);
  return {
    email,
    name,
    contactId,
    ...sendTime,
    createsContact: !contact && draft.message.createContact,
    contactExists: contact !== null,
    refused: refusedBy(draft, addressed, at) ?? never,
  };
}

const refusedBy = ({ message, type, topic }: Draft, { contact, suppression, kept }: Addressee, at: Date): Refusal | null =>
  refusal(
    message.isTrial ? 'transactional' : type,
    {
      suppression: suppression?.reason ?? null,
      subscribed: contact?.subscribed ?? true,
      choices: contact ?? kept,
      snoozedUntil: contact?.snoozedUntil,
    },
    topic,
    at,
  );

/** Returns the fields that placeholders may read: the existing contact's, or the new one's that the message will create. */
function contactFields(recipient: Recipient, { contactId, contact }: Addressee, createsContact: boolean): ContactFields {
  const { email } = recipient;
  if (!contact) return { contactId: createsContact ? contactId : null, email, ...personName(recipient.name), locale: null, data: null };
  const { firstName, lastName, locale, data } = contact;
  return { contactId, email, firstName, lastName, locale, data };
}

function rendered<T>(render: () => T): T {
  try {
    return render();
  } catch (error) {
    if (error instanceof TemplateRenderError) throw sendFailed('template_render_failed', error.message);
    throw error;
  }
}
