import type { z } from 'zod';
import { contactIdFor, findContacts, made, upsertContact } from '../../src/audience/contacts';
import type { Contact } from '../../src/audience/contacts';
import { settleMarketing } from '../../src/audience/topics';
import type { Context } from '../../src/platform/core';
import { requestOptIn } from '../../src/sending/opt-in';
import type { OptInOutcome } from '../../src/sending/opt-in';
import { reply } from '../http/answers';
import type { Reply } from '../http/answers';
import type { OptInState, UpsertContact, UpsertedContact } from './schemas';
import { toContact } from './view';

type Given = z.output<typeof UpsertContact>;
type Answer = z.input<typeof UpsertedContact>;
type OptInFields = Omit<Given, 'email' | 'optIn' | 'subscribed' | 'topics' | 'consent'>;

/** Creates or updates a contact at once, or, with `optIn`, asks the person to confirm first. */
export async function upsert(ctx: Context, given: Given): Promise<Reply<Answer>> {
  if (given.optIn !== undefined) return askFirst(ctx, given);
  const { contact, created } = await upsertContact(ctx, given);
  if (given.subscribed === false && !created)
    await settleMarketing(ctx.core, ctx.projectId, [{ contactId: contact._id, address: contact.email }]);
  return reply(created ? 201 : 200, toContact(contact));
}

async function askFirst(
  ctx: Context,
  { optIn: _optIn, subscribed: _subscribed, topics = [], consent, ...fields }: Given,
): Promise<Reply<Answer>> {
  const { email, ...rest } = fields;
  const outcome = await asked(ctx, { email, topics, consent }, rest);
  const contact = outcome.state === 'confirmed' ? (await upsertContact(ctx, fields)).contact : await asItIs(ctx, email, rest);
  return reply(outcome.state === 'pending' ? 202 : 200, { ...toContact(contact), optIn: shown(outcome, topics) });
}

/** Resolves to the existing contact, or else to the contact as it will be after confirmation. */
async function asItIs(ctx: Context, email: string, fields: Omit<Given, 'email'>): Promise<Contact> {
  const { projectId, project } = ctx;
  const _id = contactIdFor(project, email);
  const contact = (await findContacts(projectId, [_id])).get(_id);
  return contact ?? made({ _id, projectId, email }, { ...fields, subscribed: false }, new Date(), true).after;
}

type AskedFor = Pick<Given, 'email' | 'consent'> & { readonly topics: readonly string[] };

/** Asks a person to confirm, for a request of the API. */
function asked(ctx: Context, { email, topics, consent }: AskedFor, fields: OptInFields = {}): Promise<OptInOutcome> {
  const { text = null, ip = null, userAgent = null } = consent ?? {};
  const how = { source: 'api', formId: null, confirm: 'button', templateId: null } as const;
  return requestOptIn(ctx, { email, topics: [...topics], fields, locale: fields.locale ?? null, text, ...how }, { ip, userAgent });
}

/** Does the same for an event, and resolves to the state as the answer shows it. */
export const askForEvent = async (ctx: Context, given: AskedFor): Promise<z.input<typeof OptInState>> =>
  shown(await asked(ctx, given), given.topics);

function shown(outcome: OptInOutcome, topics: readonly string[]): NonNullable<Answer['optIn']> {
  if (outcome.state !== 'pending') return { status: outcome.state, topics: [...topics], requestedAt: null, expiresAt: null };
  const { requestedAt, expiresAt, topics: all } = outcome.optIn;
  return { status: 'pending', topics: [...all], requestedAt, expiresAt };
}
