import type { Context, PageRequest, Position } from '../../platform/core';
import { addressId, notFound } from '../../platform/core';
import { mergedNewest, newestBeyond, newestFirst, newestWithin, pageWithin } from '../../platform/mongo';
import type { Page, Sought } from '../../platform/mongo';
import { CONTACT_INDEX, INBOUND_INDEXES, TO_INDEX, WAITING_INDEXES } from './indexes';
import { EmailModel } from './model';
import type { Email } from './model';
import { findEmail } from './find';
import { askedOf, newestOfKind, soughtOf, spanOf } from './newest-of-kind';
import type { KindFilter } from './newest-of-kind';
import { mailToRecipients } from './mail-to-recipients';
import type { ToRecipients } from './mail-to-recipients';
import { HEAVY, toEmail } from './row';
import type { EmailRow } from './row';
import { readMaskedBodies } from './view-data';
import type { Bodies } from './view-data';

export type { Email } from './model';
export type { Bodies } from './view-data';

export interface EmailFilter extends KindFilter {
  readonly contactId?: string | undefined;
  /** An address; the local part of mail that came in is stored in its case, that of all other mail in lower case. */
  readonly to?: string | undefined;
}

/** Resolves to a page of the project's messages, newest first, or soonest first when only scheduled ones are wanted. */
export async function listEmails(ctx: Context, filter: EmailFilter, request: PageRequest, now: Date = new Date()): Promise<Page<Email>> {
  const { status, contactId, to } = filter;
  const whose = {
    projectId: ctx.projectId,
    ...(contactId !== undefined && { contactId }),
    ...(to !== undefined && { to: inEitherForm(to) }),
  };
  if (status === 'scheduled') return asEmails(await pageWithin(EmailModel, waitingOf(whose, filter, now), request, SOONEST_FIRST, HEAVY));
  if (contactId === undefined && to === undefined) return asEmails(await newestOfKind(ctx.projectId, filter, request, HEAVY));
  const [asked, span] = [askedOf(filter), spanOf(filter)];
  // Named, since the planner goes by the first rows and may take all of the project's mail by age.
  const index = contactId === undefined ? TO_INDEX : CONTACT_INDEX;
  const indexed = asEmails(await newestWithin(EmailModel, soughtOf(whose, span, asked, index), request, HEAVY));
  const named = namedRecipient(ctx, filter);
  if (named === null) return indexed;
  const which = { projectId: ctx.projectId, campaignId: filter.campaignId, ...named };
  return mergedNewest(
    [indexed, await newestToRecipient(which, { projectId: ctx.projectId, ...asked, ...span }, request)],
    request.limit,
    positionOf,
  );
}

const SOONEST_FIRST = { by: 'scheduledFor', direction: 1 } as const;

/** Returns what is sought among mail that waits for its time. */
function waitingOf(whose: Readonly<Record<string, unknown>>, filter: EmailFilter, now: Date): Sought<Email> {
  const { contactId, workflowId } = filter;
  const waiting = { ...whose, status: 'queued', scheduledFor: { $gt: now } };
  const asked = { ...askedOf({ ...filter, status: undefined }), ...spanOf(filter) };
  if (contactId !== undefined) return soughtOf(waiting, {}, asked, WAITING_INDEXES.contactId);
  return workflowId === undefined ? soughtOf(waiting, {}, asked) : soughtOf(waiting, { workflowId }, asked, WAITING_INDEXES.workflowId);
}

const asEmails = ({ rows, next }: Page<EmailRow>): Page<Email> => ({ rows: rows.map(toEmail), next });

const positionOf = ({ _id, createdAt }: Email): Position => ({ at: createdAt, id: _id });

/** Returns whose mail is asked for, and in what form campaign mail names them; null where anybody's is, or none of campaigns. */
function namedRecipient(
  { project }: Context,
  { contactId, to, source = 'campaign', workflowId, tag }: EmailFilter,
): { readonly contactIds: readonly string[]; readonly recipient: Readonly<Record<string, string>> } | null {
  if (source !== 'campaign' || workflowId !== undefined || tag !== undefined) return null;
  const byContact = contactId === undefined ? null : { contactIds: [contactId], recipient: { 'recipient.contactId': contactId } };
  if (to === undefined) return byContact;
  const address = to.toLowerCase();
  return {
    contactIds: byContact?.contactIds ?? [addressId('ctc', project.idSalt, address)],
    recipient: { ...byContact?.recipient, 'recipient.to': address },
  };
}

/** Resolves to all that campaigns have sent to somebody and is not before the page: a message for each campaign at most. */
async function newestToRecipient(
  { recipient, ...which }: ToRecipients & { readonly recipient: Readonly<Record<string, string>> },
  conditions: Readonly<Record<string, unknown>>,
  { after }: PageRequest,
): Promise<Page<Email>> {
  const rows = await mailToRecipients(which, { $and: [conditions, recipient, ...(after ? [newestBeyond(after)] : [])] });
  return { rows, next: null };
}

function inEitherForm(address: string): string | { readonly $in: string[] } {
  const lower = address.toLowerCase();
  return address === lower ? lower : { $in: [lower, address] };
}

/** Throws `not_found`. */
export async function getEmail(ctx: Context, id: string): Promise<{ readonly email: Email; readonly bodies: Bodies }> {
  const email = await findEmail(ctx.projectId, id);
  if (!email) throw notFound('Email');
  return { email, bodies: await readMaskedBodies(ctx.core, email) };
}

export interface ReceivedFilter {
  /** The address as received: the local part keeps its case. */
  readonly to?: string | undefined;
  /** An address in its stored form. */
  readonly fromEmail?: string | undefined;
}

/** Resolves to a page of the mail that came in, newest first, without content. */
export async function listReceived(
  { projectId }: Pick<Context, 'projectId'>,
  { to, fromEmail }: ReceivedFilter,
  request: PageRequest,
): Promise<Page<Email>> {
  const filter = { projectId, source: 'inbound' as const, ...(to !== undefined && { to }), ...(fromEmail !== undefined && { fromEmail }) };
  const index = INBOUND_INDEXES[to !== undefined ? 'to' : fromEmail !== undefined ? 'fromEmail' : 'all'];
  return asEmails(await newestFirst(EmailModel, filter, request, HEAVY, index));
}
