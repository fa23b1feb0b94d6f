import type { ClientSession } from 'mongoose';
import { contactIdFor, findContacts, upsertIn } from '../../audience/contacts';
import { changeTopics, listTopics, settleTopics, topicsOfContact } from '../../audience/topics';
import { domainOf, normalizeAddress } from '../../platform/addresses';
import { AppError, addressId, invalid, invalidState, invalidRequest } from '../../platform/core';
import type { Context, Core, ProjectFacts, ErrorDetail } from '../../platform/core';
import { takeAll } from '../../platform/limits';
import { inSequence, inTransaction } from '../../platform/mongo';
import { keptIp, recordConsent } from '../../records/consent';
import { findSuppressions, holdsOptOut } from '../../records/suppressions';
import { isDisposable } from '../../records/verify';
import { isFreeProvider } from '../../rules/verify/known-domains';
import { contextOf, requestOptIn } from '../../sending/opt-in';
import type { Visitor } from '../../sending/opt-in';
import { countRefused, countSubmitted, isBurst, holdForm } from './service';
import type { Form, FormRefusal, FormField } from './model';
import { createHash, randomBytes } from 'node:crypto';
import { isProof, paceOf } from '../../rules/form-limits';
import { instantOf } from '../../rules/conditions/instants';
import type { ContactChange } from '../../rules/contact-change';

/** A form as it was sent. */
interface Submission {
  /** Each member as text. */
  readonly given: ReadonlyMap<string, string>;
  /** The language of the browser; null if it names none. */
  readonly locale: string | null;
  readonly visitor: Visitor;
}

const HOUR_MS = 3_600_000;
const MOST = { client: 20, address: 5, domain: 100, freeProvider: 2_000, form: 5_000 } as const;

/** A refused sign-up, with the error that its sender gets; null: the same answer as everyone. */
class Refused extends Error {
  constructor(
    readonly why: FormRefusal,
    readonly shown: AppError | null = null,
  ) {
    super(why);
  }
}

/**
 * Handles a sign-up. Robots, addresses that get no mail and disposable domains get the same answer as everyone, and nothing is done for them. Throws
 * `invalid_state` while the form is held, 422 for what is missing or wrong, and `rate_limited`. All refusals are counted by their cause.
 */
export async function submitForm(core: Core, form: Form, submission: Submission, now: Date = new Date()): Promise<void> {
  const ctx = await contextOf(core, { projectId: form.projectId, testMode: false });
  try {
    const filled = await admitted(ctx, form, submission, now);
    await accept(ctx, form, filled, submission, now);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await countRefused(form, error.why);
    if (error.shown !== null) throw error.shown;
    return;
  }
  await countSubmitted(form);
}

const held = (): Refused => new Refused('held', invalidState('The form does not accept sign-ups at the moment'));

/** Resolves to the answers if the sign-up is admitted. Throws `Refused` otherwise. */
async function admitted(ctx: Context, form: Form, submission: Submission, now: Date): Promise<Filled> {
  if (form.state === 'held' || ctx.project.disabledAt !== null) throw held();
  await refuseRobots(ctx, form, submission, now);
  const filled = await otherwise('invalid', () => readFilled(form, submission.given));
  await otherwise('rateLimited', () => takeLimits(ctx, form, filled, submission));
  await refuseUnreachable(ctx, filled);
  if (!(await isBurst(form, now))) return filled;
  await holdForm(form, now);
  ctx.core.log.warn({ formId: form._id, projectId: form.projectId }, 'A form is on hold: its sign-ups are far above normal');
  throw held();
}

/** Does work whose failure is reported to the sender. */
async function otherwise<T>(why: FormRefusal, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof AppError ? new Refused(why, error) : error;
  }
}

async function refuseRobots({ core, project }: Context, form: Form, { given }: Submission, now: Date): Promise<void> {
  if ((given.get(HONEYPOT) ?? '') !== '') throw new Refused('honeypot');
  const sent = { challenge: given.get('challenge') ?? null, proof: given.get('proof') ?? null };
  const suspicion = await suspicionOf(core, project, form, sent, now);
  if (suspicion) throw new Refused(suspicion, suspicion === 'proofOfWork' ? invalid('proof', 'invalid_combination', NO_PROOF) : null);
}

const NO_PROOF = 'The form needs the proof of work of its page';

function takeLimits({ project }: Context, { _id }: Form, { email }: Filled, { visitor }: Submission): Promise<void> {
  const domain = domainOf(email);
  const allowance = (what: string, limit: number) => ({ id: addressId('lim', project.idSalt, `form ${what}`), limit, windowMs: HOUR_MS });
  return takeAll('sign-ups', [
    allowance(`client ${visitor.ip ?? ''}`, MOST.client),
    allowance(`address ${email}`, MOST.address),
    allowance(`domain ${domain}`, isFreeProvider(domain) ? MOST.freeProvider : MOST.domain),
    allowance(`all ${_id}`, MOST.form),
  ]);
}

const BLOCKING: ReadonlySet<string> = new Set(['hard_bounce', 'complaint', 'manual']);

async function refuseUnreachable({ project, projectId }: Context, { email }: Filled): Promise<void> {
  if (isDisposable(domainOf(email))) throw new Refused('disposable');
  const record = (await findSuppressions(projectId, project.idSalt, [email])).get(email);
  if (record && BLOCKING.has(record.reason)) throw new Refused('suppressed');
}

async function accept(ctx: Context, form: Form, filled: Filled, submission: Submission, now: Date): Promise<void> {
  if (!form.doubleOptIn && (await subscribedAtOnce(ctx, form, filled, submission, now))) return;
  const { email, fields } = filled;
  const { topics, consentText: text, confirm, templateId, _id: formId } = form;
  const existing = new Set(topics.length === 0 ? [] : (await listTopics(ctx)).map(({ _id }) => _id));
  const known = topics.filter((id) => existing.has(id));
  const { locale, visitor } = submission;
  await requestOptIn(ctx, { email, fields, topics: known, text, confirm, templateId, formId, locale, source: 'form' }, visitor);
}

/** Subscribes without a confirmation, except for a person who opted out: only they may take that back. Resolves to whether it did. */
async function subscribedAtOnce(ctx: Context, form: Form, filled: Filled, { visitor }: Submission, at: Date): Promise<boolean> {
  const contactId = contactIdFor(ctx.project, filled.email);
  const left = await inSequence(contactId, () =>
    inTransaction(async (session) => {
      if (await hasOptedOut(session, ctx, form, filled.email)) return null;
      const isKnown = (await findContacts(ctx.projectId, [contactId], session)).has(contactId);
      // Anyone can fill in a form with the address of an existing contact: its fields stay.
      if (!isKnown) await upsertIn(session, ctx, { email: filled.email, ...filled.fields, subscribed: true }, 'form');
      const wanted = form.topics.map((topicId) => ({ topicId, subscribed: true }));
      const change = await changeTopics(session, ctx, { contactId }, wanted, 'form', { at });
      const ip = keptIp(ctx.project, visitor.ip);
      const entry = { contactId, kind: 'changed' as const, source: 'form', at, formId: form._id, text: form.consentText };
      const about = form.topics.length === 0 ? [null] : form.topics;
      const consents = about.map((topicId) => ({ ...entry, ip, userAgent: visitor.userAgent, topicId }));
      await recordConsent(session, ctx.projectId, consents);
      return change;
    }),
  );
  if (left) await settleTopics(ctx.core, left);
  return left !== null;
}

async function hasOptedOut(session: ClientSession, ctx: Context, form: Form, email: string): Promise<boolean> {
  const { projectId, project } = ctx;
  if (holdsOptOut((await findSuppressions(projectId, project.idSalt, [email], session)).get(email))) return true;
  const contactId = contactIdFor(project, email);
  const contact = (await findContacts(projectId, [contactId], session)).get(contactId);
  if (contact?.subscribed === false) return true;
  const states = await topicsOfContact(ctx, { address: email }, session);
  return states.some(({ topic, explicit, subscribed }) => form.topics.includes(topic._id) && explicit && !subscribed);
}

const signed = (formId: string, at: string, chance: string): string => `${formId}/${at}/${chance}`;

/** Returns what the page of a form carries: when it was drawn, and what its proof of work is about. */
export function challengeFor({ secrets }: Pick<Core, 'secrets'>, { _id }: Pick<Form, '_id'>, now: Date): string {
  const at = now.getTime().toString(36);
  const chance = randomBytes(9).toString('hex');
  return `${at}.${chance}.${secrets.sign('form', signed(_id, at, chance))}`;
}

/** Returns when a challenge was created; null for one that was not created for the form. */
function madeAt({ secrets }: Pick<Core, 'secrets'>, { _id }: Pick<Form, '_id'>, challenge: string): number | null {
  const [, at = '', chance = '', signature = ''] = /^([0-9a-z]{1,11})\.([0-9a-f]{18})\.([0-9a-z]{28})$/.exec(challenge) ?? [];
  return secrets.verify('form', signed(_id, at, chance), signature) ? Number.parseInt(at, 36) : null;
}

/** Parts of a sent form that a person does not fill in. */
interface Sent {
  readonly challenge: string | null;
  readonly proof: string | null;
}

/**
 * Resolves to why a form was not sent by a person, as far as its time and its proof of work tell; null if no sign of a robot was found. A form on the owner's own
 * page carries no challenge. Each challenge serves for one proof.
 */
async function suspicionOf(
  core: Core,
  project: Pick<ProjectFacts, 'idSalt'>,
  form: Form,
  { challenge, proof }: Sent,
  now: Date,
): Promise<Extract<FormRefusal, 'tooFast' | 'proofOfWork'> | null> {
  const drawnAt = challenge === null ? null : madeAt(core, form, challenge);
  const pace = drawnAt === null ? null : paceOf(now.getTime() - drawnAt);
  if (pace === 'too_fast') return 'tooFast';
  if (!form.proofOfWork) return null;
  if (pace !== 'human' || challenge === null || !isSolved(challenge, proof)) return 'proofOfWork';
  return (await isUsed(project, challenge)) ? 'proofOfWork' : null;
}

const isSolved = (challenge: string, proof: string | null): boolean =>
  proof !== null && /^\d{1,12}$/.test(proof) && isProof(createHash('sha256').update(`${challenge}:${proof}`).digest('hex'));

const DAY_MS = 86_400_000;

async function isUsed({ idSalt }: Pick<ProjectFacts, 'idSalt'>, challenge: string): Promise<boolean> {
  try {
    await takeAll('proofs', [{ id: addressId('lim', idSalt, `challenge ${challenge}`), limit: 1, windowMs: DAY_MS }]);
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return true;
    throw error;
  }
}

/** A member that no person sees, and most robots fill in. */
export const HONEYPOT = 'website_url';
/** Members of a form that are none of its fields. */
export const RESERVED_KEYS: ReadonlySet<string> = new Set(['email', HONEYPOT, 'challenge', 'proof']);

/** A person's answers to a form. */
interface Filled {
  readonly email: string;
  readonly fields: Omit<ContactChange, 'subscribed'>;
}

type Value = string | number | boolean;
type Read = (text: string) => Value | null;

const MOST_CHARACTERS = 500;
const MOST_OF_NAME = 200;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const YES: ReadonlySet<string> = new Set(['on', 'true', '1', 'yes']);

const READERS: Readonly<Record<FormField['type'], Read>> = {
  text: (text) => (text.length <= MOST_CHARACTERS && !/[\r\n\0]/.test(text) ? text : null),
  number: (text) => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : null),
  boolean: (text) => YES.has(text.toLowerCase()),
  date: (text) => (DATE.test(text) && instantOf(text) !== null ? text : null),
};

const OWN: ReadonlySet<string> = new Set(['firstName', 'lastName']);

/** Reads what was filled in. Throws 422 with a fault for each member that is missing or wrong. */
function readFilled(form: Pick<Form, 'fields'>, given: ReadonlyMap<string, string>): Filled {
  const faults: ErrorDetail[] = [];
  const email = normalizeAddress((given.get('email') ?? '').trim());
  if (email === null) faults.push({ path: 'email', code: 'invalid_string', message: 'Not an e-mail address' });
  const own: Record<string, Value> = {};
  const data: Record<string, Value> = {};
  for (const field of form.fields) {
    const value = readField(field, given.get(field.key) ?? '', faults);
    if (value !== null) (OWN.has(field.key) ? own : data)[field.key] = value;
  }
  if (email === null || faults.length > 0) throw invalidRequest(faults);
  return { email, fields: { ...own, ...(Object.keys(data).length > 0 && { data }) } };
}

function readField({ key, label, required, type }: FormField, text: string, faults: ErrorDetail[]): Value | null {
  const value = (text === '' && type !== 'boolean') || (OWN.has(key) && text.length > MOST_OF_NAME) ? null : READERS[type](text);
  if (required && (value === null || value === false)) faults.push({ path: key, code: 'too_small', message: `${label} is required` });
  else if (value === null && text !== '') faults.push({ path: key, code: 'invalid_string', message: `${label} is not valid` });
  return value;
}
