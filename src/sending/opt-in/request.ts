import type { ClientSession } from 'mongoose';
import { contactIdFor, findContacts } from '../../audience/contacts';
import { listTopics, topicsOfContact } from '../../audience/topics';
import type { StartIntent } from '../../contracts/processes';
import { addressId, invalid } from '../../platform/core';
import type { Context, ProjectFacts } from '../../platform/core';
import { inSequence, inTransaction } from '../../platform/mongo';
import { wantNow } from '../../platform/outbox';
import { keptIp, recordConsent } from '../../records/consent';
import { findSuppressions } from '../../records/suppressions';
import type { ContactChange } from '../../rules/contact-change';
import { askedAgain, optInBegun } from '../../rules/opt-in-times';
import { refusal } from '../../rules/refusal';
import { sameJson } from '../../rules/same-json';
import { checkConfirmation } from './mail';
import { OptInModel } from './model';
import type { OptIn } from './model';
import { askedSignal, optInWorkflowId } from '../../contracts/contacts';

/** The origin of a request or a confirmation, as far as it is known. */
export interface Visitor {
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** A request for an opt-in. */
export interface OptInRequest extends Pick<OptIn, 'topics' | 'fields' | 'locale' | 'text' | 'formId' | 'confirm' | 'templateId'> {
  /** Normalized: lower case, domain in ASCII. */
  readonly email: string;
  readonly source: 'api' | 'form';
}

/** `suppressed`: the address gets no mail at all, so nothing is asked. `confirmed`: there is nothing to confirm, since the person gets all of it already. */
export type OptInOutcome =
  | { readonly state: 'pending'; readonly optIn: OptIn }
  | { readonly state: 'confirmed' }
  | { readonly state: 'suppressed' };

/**
 * Asks a person to confirm by mail what was requested in their name: at most one message a day, however often it is requested. Until the person confirms, no
 * contact is created, and an existing one stays as it is. Throws 422 `not_found` for a topic at `topics.<n>`, and `send_failed` where a confirmation cannot be sent.
 */
export async function requestOptIn(ctx: Context, request: OptInRequest, visitor: Visitor): Promise<OptInOutcome> {
  await requireTopics(ctx, request.topics);
  // People who use a form cannot change this.
  if (request.source === 'api') await checkConfirmation(ctx, request);
  return inSequence(optInIdFor(ctx, request.email), () =>
    inTransaction(async (session) => (await stateOf(session, ctx, request)) ?? ask(session, ctx, request, visitor)),
  );
}

const optInIdFor = (
  { project, testMode }: { readonly project: Pick<ProjectFacts, 'idSalt'>; readonly testMode: boolean },
  email: string,
): string => addressId('opt', project.idSalt, testMode ? `test ${email}` : email);

/** Checks topics. Throws 422 `not_found` for those that the project does not have. */
export async function requireTopics(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const known = new Set((await listTopics(ctx)).map(({ _id }) => _id));
  const index = ids.findIndex((id) => !known.has(id));
  if (index >= 0) throw invalid(`topics.${index}`, 'not_found', 'Topic not found');
}

async function stateOf(
  session: ClientSession,
  ctx: Context,
  { email, topics }: OptInRequest,
): Promise<Exclude<OptInOutcome, { state: 'pending' }> | null> {
  const { projectId, project } = ctx;
  const suppression = (await findSuppressions(projectId, project.idSalt, [email], session)).get(email);
  if (refusal('transactional', { suppression: suppression?.reason ?? null, subscribed: true }, null, new Date()) !== null)
    return { state: 'suppressed' };
  const contactId = contactIdFor(project, email);
  const contact = (await findContacts(projectId, [contactId], session)).get(contactId);
  if (!contact?.subscribed) return null;
  const states = topics.length === 0 ? [] : await topicsOfContact(ctx, { contactId }, session);
  const isIn = new Set(states.filter(({ subscribed }) => subscribed).map(({ topic }) => topic._id));
  return topics.every((id) => isIn.has(id)) ? { state: 'confirmed' } : null;
}

async function ask(session: ClientSession, ctx: Context, request: OptInRequest, visitor: Visitor): Promise<OptInOutcome> {
  const { projectId } = ctx;
  const now = new Date();
  const _id = optInIdFor(ctx, request.email);
  const before = await OptInModel.findOne({ _id, projectId }, null, { session }).lean<OptIn>();
  const current = isPending(before, now) ? before : null;
  const optIn = current ? merged(current, request, now) : begun(ctx, _id, before, request, now);
  await OptInModel.collection.replaceOne({ _id: _id, projectId }, optIn, { session, upsert: true });
  if (!current || isOther(current, optIn)) await recordRequest(session, ctx, request, visitor, now);
  if (isMailedOther(current, optIn)) await wantNow(session, ctx.core, [optInIntent(optIn)]);
  return { state: 'pending', optIn };
}

const isPending = (optIn: OptIn | null, now: Date): boolean => optIn?.status === 'pending' && optIn.expiresAt > now;

/** Returns whether a message is due that the workflow does not wait for. */
const isMailedOther = (before: OptIn | null, { nextMailAt }: OptIn): boolean =>
  nextMailAt !== null && nextMailAt.getTime() !== before?.nextMailAt?.getTime();

function recordRequest(
  session: ClientSession,
  { projectId, project }: Context,
  { email, source, formId, text, topics }: OptInRequest,
  { ip, userAgent }: Visitor,
  at: Date,
): Promise<void> {
  const contactId = contactIdFor(project, email);
  const asked = { contactId, kind: 'requested' as const, source, at, formId, text, ip: keptIp(project, ip), userAgent };
  return recordConsent(
    session,
    projectId,
    topicsOrAll(topics).map((topicId) => ({ ...asked, topicId })),
  );
}

/** Returns the topics that an opt-in is for; only null, for all marketing mail, if it names none. */
export const topicsOrAll = (topics: readonly string[]): readonly (string | null)[] => (topics.length === 0 ? [null] : topics);

const begun = (ctx: Context, _id: string, before: OptIn | null, request: OptInRequest, now: Date): OptIn => {
  const { email, source: _source, ...wanted } = request;
  const { projectId, project, testMode } = ctx;
  return {
    _id,
    projectId,
    contactId: contactIdFor(project, email),
    email,
    testMode,
    status: 'pending',
    confirmedAt: null,
    emailId: null,
    ...optInBegun(before, now),
    ...wanted,
    topics: [...new Set(wanted.topics)],
  };
};

/** Adds a request to the one that waits for its confirmation. If it asks for more than the message names, only the button of the page confirms, which names all. */
function merged(current: OptIn, { email: _email, source: _source, ...wanted }: OptInRequest, now: Date): OptIn {
  const topics = [...new Set([...current.topics, ...wanted.topics])];
  const isSame = topics.length === current.topics.length && wanted.text === current.text;
  return {
    ...current,
    ...askedAgain(current, now),
    ...wanted,
    topics,
    fields: mergedFields(current.fields, wanted.fields),
    locale: wanted.locale ?? current.locale,
    confirm: isSame && current.confirm === 'link' ? wanted.confirm : 'button',
  };
}

/** The most characters of JSON that the data of a contact may have. */
const MOST_DATA = 32_768;

function mergedFields(before: OptIn['fields'], { data, ...fields }: Omit<ContactChange, 'subscribed'>): OptIn['fields'] {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const both = { ...before.data, ...data };
  const merged = JSON.stringify(both).length <= MOST_DATA ? both : (data ?? {});
  return { ...before, ...given, ...(Object.keys(merged).length > 0 && { data: merged }) };
}

const isOther = (a: OptIn, b: OptIn): boolean =>
  !sameJson([...a.topics], [...b.topics]) || !sameJson(a.fields, b.fields) || a.text !== b.text || a.formId !== b.formId;

/** Returns the intent of the workflow that keeps the time of an opt-in; one that runs checks again at once. */
const optInIntent = ({ _id, projectId, contactId }: OptIn): StartIntent => ({
  kind: 'start',
  workflow: 'optIn',
  workflowId: optInWorkflowId(_id),
  input: { optInId: _id, projectId },
  summary: 'Double opt-in',
  attributes: { projectId, contactId },
  signal: askedSignal.name,
  again: true,
  lasts: true,
});
