import type { ClientSession } from 'mongoose';
import { findContacts, upsertIn } from '../../audience/contacts';
import { changeTopics, listTopics, settleTopics } from '../../audience/topics';
import type { Brand } from '../../contracts/brand';
import { AppError, derivedId } from '../../platform/core';
import type { Context, Core } from '../../platform/core';
import { inSequence, inTransaction } from '../../platform/mongo';
import { keptIp, recordConsent } from '../../records/consent';
import { senderName } from '../../rules/brand';
import { contextOf, namesOf, optInOfLink } from './mail';
import { OptInModel } from './model';
import type { OptIn } from './model';
import { topicsOrAll } from './request';
import type { Visitor } from './request';
import { hook } from '../../platform/hooks';

/** A sign-up of a form was confirmed. */
export const onFormConfirmed = hook<(projectId: string, formId: string) => Promise<void>>('a sign-up of a form is confirmed');

/** An opt-in, as the page of its confirmation shows it. */
export interface ShownOptIn extends Pick<OptIn, 'projectId' | 'status' | 'confirm' | 'locale' | 'text' | 'formId'> {
  /** The version of what is confirmed: a confirmation names the one that its page showed. */
  readonly version: string;
  /** The name that readers know the project by. */
  readonly sender: string;
  readonly brand: Brand | undefined;
  /** Names in the person's language, if the topics have them. */
  readonly topicNames: readonly string[];
}

/** Resolves to what a link is about; null for one that leads nowhere. Changes nothing. */
export async function optInAt(core: Core, token: string, now: Date = new Date()): Promise<ShownOptIn | null> {
  const optIn = await optInOfLink(core, token, now);
  if (!optIn) return null;
  const ctx = await contextOf(core, optIn);
  const { projectId, status, confirm, locale, text, formId } = optIn;
  const shown = {
    sender: senderName(ctx.project),
    brand: ctx.project.brand,
    version: versionOf(optIn),
    topicNames: await namesOf(ctx, optIn),
  };
  return { projectId, status, confirm, locale, text, formId, ...shown };
}

const versionOf = ({ _id, topics, text }: OptIn): string => derivedId('ver', _id, JSON.stringify([topics, text]));

/** The version and the text that a person saw when they confirmed. */
interface Shown extends Pick<ShownOptIn, 'version'> {
  /** Word by word. */
  readonly text: string;
}

/**
 * Confirms what the link is about: the person becomes a contact, or is subscribed again, and joins all topics, in one transaction with the evidence. `shown` is
 * what the page said, and of which version. A repeat changes nothing. Resolves to whether it is confirmed: it is not if more was requested since the
 * page was opened. Resolves to null for a link that leads nowhere.
 */
export async function confirmOptIn(core: Core, token: string, shown: Shown, visitor: Visitor, now = new Date()): Promise<boolean | null> {
  const found = await optInOfLink(core, token, now);
  if (!found) return null;
  const ctx = await contextOf(core, found);
  const done = await inSequence(found.contactId, () =>
    inTransaction(async (session) => {
      const { _id, projectId, requestedAt } = found;
      const optIn = await OptInModel.findOne({ _id, projectId, requestedAt }, null, { session }).lean<OptIn>();
      if (!optIn) return { ...NOTHING, isConfirmed: null };
      if (optIn.status === 'confirmed') return { ...NOTHING, isConfirmed: true };
      if (versionOf(optIn) !== shown.version) return { ...NOTHING, isConfirmed: false };
      const left = await subscribe(session, ctx, optIn, now);
      await note(session, ctx, optIn, { shown: shown.text, visitor, now });
      const change = { status: 'confirmed' as const, confirmedAt: now, nextMailAt: null, fields: {} };
      await OptInModel.updateOne({ _id, projectId }, { $set: change }, { session });
      return { isConfirmed: true, left, formId: optIn.formId };
    }),
  );
  if (done.left) await settleTopics(core, done.left);
  if (done.formId !== null) for (const count of onFormConfirmed.answers) await count(found.projectId, done.formId);
  return done.isConfirmed;
}

const NOTHING = { left: null, formId: null };

async function subscribe(session: ClientSession, ctx: Context, optIn: OptIn, at: Date) {
  const { email, fields, contactId, locale } = optIn;
  const before = (await findContacts(ctx.projectId, [contactId], session)).get(contactId);
  const known = { email, subscribed: true, ...(before?.locale == null && locale !== null && { locale }) };
  await upsertIn(session, ctx, { ...known, ...fields }, 'opt_in').catch((error: unknown) => {
    // The consent counts, also where its contact has no room left for the fields that came with it.
    if (!(error instanceof AppError)) throw error;
    return upsertIn(session, ctx, known, 'opt_in');
  });
  const existing = new Set((await listTopics(ctx, session)).map(({ _id }) => _id));
  const topics = optIn.topics.filter((id) => existing.has(id)).map((topicId) => ({ topicId, subscribed: true }));
  if (topics.length === 0) return null;
  const { emailId } = optIn;
  return changeTopics(session, ctx, { contactId }, topics, 'opt_in', { at, ...(emailId !== null && { emailId }) });
}

interface Confirmed {
  readonly shown: string;
  readonly visitor: Visitor;
  readonly now: Date;
}

const note = (session: ClientSession, { project, projectId }: Context, optIn: OptIn, { shown, visitor, now }: Confirmed): Promise<void> => {
  const { contactId, formId, emailId, topics } = optIn;
  const from = { ip: keptIp(project, visitor.ip), userAgent: visitor.userAgent };
  const entry = { contactId, kind: 'confirmed' as const, source: 'opt_in', at: now, formId, emailId, text: shown, ...from };
  return recordConsent(
    session,
    projectId,
    topicsOrAll(topics).map((topicId) => ({ ...entry, topicId })),
  );
};
