import type { Context, ErrorDetail } from '../../platform/core';
import { comesAgain, storeAttachment, storeContent } from '../../records/emails';
import type { AttachmentRef, InlineContent } from '../../records/emails';
import { AppError, invalidRequest, sendFailed } from '../../platform/core';
import { contentCompiler, TemplateRenderError } from '../../message/template';
import type { ContactFields, SystemValues } from '../../message/template';
import { personName } from '../../rules/person-name';
import { refusal } from '../../rules/refusal';
import { turnTaker } from '../../platform/async';
import { asOneMessage, isCopied, onlyOnce, recipientsOf } from './copies';
import { draftMessage, groundsOf, inlineFaults } from './draft';
import { addressees } from './lookups';
import type { Addressee } from './lookups';
import type { Draft, Prepared, PreparedRecipient, Recipient, SendMessage, SendRequest } from './types';

/** Placeholder links for a message that does not exist yet: this rendering is only checked. */
export const SPECIMEN: SystemValues = {
  unsubscribeUrl: 'https://example.invalid/u/',
  viewInBrowserUrl: 'https://example.invalid/v/',
  year: new Date().getUTCFullYear(),
};
/** More placeholders than this are not listed. */
const MOST_NAMED = 100;
const NONE_UNRESOLVED: readonly string[] = [];
const PLAIN = { trackLink: null, pixelUrl: null, unsubscribeFooter: false };

/**
 * Does everything for a request that needs no transaction: looks up templates, senders and recipients, and renders for each of them.
 * Throws 422 when inline content is not valid; a fault that depends on stored state fails its message alone.
 */
export async function prepare(ctx: Context, request: SendRequest): Promise<readonly Prepared[]> {
  const { messages } = request;
  const pathOf = (index: number): string => (request.endpoint === 'batch' ? `messages.${index}.` : '');
  const turns = turnTaker();
  const compiler = contentCompiler(ctx.core);
  const faults: ErrorDetail[] = [];
  for (const [index, message] of messages.entries()) {
    faults.push(...inlineFaults(message, pathOf(index), (source) => compiler.compile(source)));
    await turns();
  }
  if (faults.length > 0) throw invalidRequest(faults);

  const grounds = await groundsOf(ctx, messages);
  const drafts: Settled<Draft>[] = [];
  for (const message of messages) {
    drafts.push(settle(message, () => draftMessage(ctx, message, grounds)));
    await turns();
  }
  const shared = sharedContents(drafts);
  const known = await addresseesOf(ctx, drafts);
  const keep = keeper();
  const prepared: Prepared[] = [];
  for (const draft of drafts) {
    prepared.push('failed' in draft ? draft : await rendered({ ctx, request, shared, known, keep, turns }, draft.ok));
  }
  await storeContents(ctx.projectId, prepared);
  return prepared;
}

const NONE: readonly AttachmentRef[] = [];

function storeAttachments(
  projectId: string,
  message: SendMessage,
  recipients: readonly PreparedRecipient[],
): Promise<readonly AttachmentRef[]> | readonly AttachmentRef[] {
  const { attachments } = message;
  if (attachments.length === 0) return NONE;
  const contactIds = recipients.map(({ contactId }) => contactId);
  const how = { contactIds, neededAt: goesOutAt(message), isKept: isKept(message) };
  return Promise.all(attachments.map((attachment) => storeAttachment(projectId, attachment, how)));
}

const isKept = ({ retainContent = true }: SendMessage): boolean => retainContent;

const goesOutAt = ({ sendAt }: SendMessage): Date => sendAt ?? new Date();

/** Stores each content once, however many messages share it. */
async function storeContents(projectId: string, prepared: readonly Prepared[]): Promise<void> {
  const needed = new Map<string, { readonly source: InlineContent; readonly at: Date }>();
  for (const each of prepared) {
    if ('failed' in each || each.ok.contentId === null) continue;
    const { contentId, draft } = each.ok;
    const at = goesOutAt(draft.message);
    if (at > (needed.get(contentId)?.at ?? 0)) needed.set(contentId, { source: draft.source, at });
  }
  await Promise.all([...needed].map(([id, { source, at }]) => storeContent(id, projectId, source, at)));
}

/**
 * Characters that the messages of a request may store for themselves, as all of them are one transaction: values, and content that is shared with no other
 * message.
 */
const MOST_KEPT = 16 * 1_048_576;

/** Makes a check that throws `payload_too_large` when what is stored for the recipients exceeds the limit of a request. */
function keeper(): (draft: Draft, recipient: PreparedRecipient) => void {
  let kept = 0;
  return ({ message, source }, { values }) => {
    kept += values.length + (isKept(message) ? 0 : (source.html?.length ?? 0) + (source.text?.length ?? 0));
    if (kept > MOST_KEPT)
      throw new AppError('payload_too_large', 'What is kept for each recipient comes to more than 16 MiB over all of them');
  };
}

type Addressees = ReadonlyMap<string, Addressee>;

/** Looks up all recipients of the request together. */
function addresseesOf(ctx: Context, drafts: readonly Settled<Draft>[]): Promise<Addressees> {
  const emails = new Set<string>();
  for (const draft of drafts) {
    if ('ok' in draft) for (const { email } of recipientsOf(draft.ok.message)) emails.add(email);
  }
  return addressees(ctx, emails);
}

type Settled<T> = { readonly ok: T } | { readonly failed: AppError; readonly units: number };

function settle<T>(message: SendMessage, work: () => T): Settled<T> {
  try {
    return { ok: work() };
  } catch (error) {
    if (error instanceof AppError && error.code === 'send_failed') return { failed: error, units: recipientsOf(message).length };
    throw error;
  }
}

/** Finds content that more than one message of the request uses, which is stored apart from them. */
function sharedContents(drafts: readonly Settled<Draft>[]): ReadonlySet<string> {
  const shared = new Set<string>();
  for (const draft of drafts) {
    if ('failed' in draft) continue;
    const { contentHash, message } = draft.ok;
    if (!isKept(message)) continue;
    const again = comesAgain(contentHash, message.to[0]?.email ?? '');
    if (again || recipientsOf(message).length > 1 || message.templateId !== null) shared.add(contentHash);
  }
  return shared;
}

/** Shared by all renderings of a request. */
interface Rendering {
  readonly ctx: Context;
  readonly request: SendRequest;
  readonly shared: ReadonlySet<string>;
  readonly known: Addressees;
  readonly keep: ReturnType<typeof keeper>;
  readonly turns: ReturnType<typeof turnTaker>;
}

/** Renders a draft for each of its recipients. */
async function rendered({ ctx, request, shared, known, keep, turns }: Rendering, draft: Draft): Promise<Prepared> {
  const isTrial = ctx.testMode || request.isTrial === true;
  const each: PreparedRecipient[] = [];
  for (const recipient of onlyOnce(recipientsOf(draft.message))) {
    const addressed = known.get(recipient.email);
    if (!addressed) throw new Error('An addressee was not looked up');
    // A copy has the first recipient's text.
    const [first] = isCopied(draft.message) ? each : [];
    const made = settle(draft.message, () =>
      first ? copyFor(draft, recipient, addressed, first) : renderFor(draft, recipient, addressed, isTrial),
    );
    if ('failed' in made) return made;
    keep(draft, made.ok);
    each.push(made.ok);
    await turns();
  }
  const recipients = asOneMessage(draft, each, known);
  const contentId = isKept(draft.message) && shared.has(draft.contentHash) ? draft.contentHash : null;
  return { ok: { draft, recipients, contentId, attachmentRefs: await storeAttachments(ctx.projectId, draft.message, recipients) } };
}

/** Renders a draft for one recipient. Throws `send_failed`. */
export function renderFor(draft: Draft, recipient: Recipient, addressed: Addressee, isTrial = false): PreparedRecipient {
  const { message, content } = draft;
  const createsContact = !addressed.contact && message.createContact;
  const values = content.valuesFor(message.variables, contactFields(recipient, addressed, createsContact));
  return {
    ...recipientFacts(draft, recipient, addressed),
    subject: judge(() => content.write(values, SPECIMEN, PLAIN).subject),
    values: JSON.stringify(values),
    unresolved: isTrial ? judge(() => content.missing(values, SPECIMEN)).slice(0, MOST_NAMED) : NONE_UNRESOLVED,
  };
}

const copyFor = (
  draft: Draft,
  recipient: Recipient,
  addressed: Addressee,
  { subject, values, unresolved }: PreparedRecipient,
): PreparedRecipient => ({
  ...recipientFacts(draft, recipient, addressed),
  subject,
  values,
  unresolved,
});

/** Makes a prepared recipient without its text. */
const recipientFacts = (
  { message, type }: Draft,
  { email, name }: Recipient,
  { contactId, contact, suppression }: Addressee,
): Omit<PreparedRecipient, 'subject' | 'values' | 'unresolved'> => ({
  email,
  name,
  contactId,
  createsContact: !contact && message.createContact,
  contactExists: contact !== null,
  refused: refusal(type, suppression?.reason ?? null, contact?.subscribed ?? true),
});

/** Returns the fields that placeholders may read: the existing contact's, or the new one's that the message will create. */
function contactFields(recipient: Recipient, { contactId, contact }: Addressee, createsContact: boolean): ContactFields {
  const { email } = recipient;
  if (!contact) return { contactId: createsContact ? contactId : null, email, ...personName(recipient.name), locale: null, data: null };
  const { firstName, lastName, locale, data } = contact;
  return { contactId, email, firstName, lastName, locale, data };
}

function judge<T>(render: () => T): T {
  try {
    return render();
  } catch (error) {
    if (error instanceof TemplateRenderError) throw sendFailed('template_render_failed', error.message);
    throw error;
  }
}
