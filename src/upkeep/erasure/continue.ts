import { mailIdsUnderWay, eraseLinks, eraseRecipients } from '../../marketing/campaigns';
import { findContacts, deleteNotes } from '../../audience/contacts';
import type { Core } from '../../platform/core';
import { databaseNow } from '../../platform/mongo';
import type { ErasureInput, ErasureProgress } from '../../contracts/removals';
import {
  countUnerased,
  INSTANTS,
  detachEmails,
  eraseAttachments,
  eraseContents,
  eraseFromCopies,
  eraseMail,
  eraseRepliesTo,
  findRepliesTo,
  findScheduled,
  findTraces,
} from '../../records/emails';
import { countWaiting, eraseAtInstants, eraseByIds, eraseEvents } from '../../records/events';
import { ErasureModel } from './model';
import type { Erasure } from './model';
import { sealContextOf } from './service';
import { eraseFromApprovals } from '../../marketing/approvals';
import { cancelOfContacts, detachExecutions } from '../../marketing/automations';
import { eraseFromImports } from '../../audience/lists';
import { eraseConsent } from '../../records/consent';
import { cancelScheduled } from '../../sending/accept';
import type { Erased, MailTrace } from '../../records/emails';
import { removeFromSegments } from '../../audience/segments';
import { eraseLimits } from '../../records/person-limits';
import { eraseFromSuppressions } from '../../records/suppressions';
import { endDeliveries, forgetInDeliveries } from '../../sending/webhooks';
import { removeOptIns } from '../../sending/opt-in';
import { forgetTrails } from '../../sending/tracking';
import { getProject } from '../../records/projects';
import { personId } from '../../platform/addresses';
import { deferredEventId } from '../../rules/email-events';

/** Grace period for writes that were in flight when a contact was deleted. */
const IN_FLIGHT_MS = 30_000;
const TURN_MS = 20_000;
/** Between checks what is on its way: most mail is gone within seconds, some is retried for a day. */
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 15 * 60_000;

/**
 * Erases one batch, and says when there is more to do. A pass goes through all persons and all steps; the last one begins
 * when everything that was being written at the deletion has ended, and finds nothing of them on its way. Then the addresses are removed.
 *
 * | killed                           | found                                        | happens                                                |
 * |----------------------------------|----------------------------------------------|--------------------------------------------------------|
 * | before the deletion's commit     | the contact, untouched                       | the caller asks again                                  |
 * | after it, no workflow            | the erasure's document, the intent             | the sweep starts the workflow                          |
 * | in a page                        | some rows erased                             | the others are found, and only they                    |
 * | after a page, before it is noted | the rows erased, their number lower by those | continues with the same person; nothing is found for them |
 * | in the last write                | the document with its addresses              | another pass, which finds nothing                      |
 */
export async function continueErasure(
  core: Core,
  { erasureId, projectId }: ErasureInput,
  now: Date,
  signal: AbortSignal,
): Promise<ErasureProgress> {
  const erasure = await ErasureModel.findOne({ _id: erasureId, projectId }).lean<Erasure>();
  if (!erasure) return { status: 'completed', contacts: 0, erased: 0, open: 0, waitMs: 0 };
  if (erasure.addresses === null) return progressOf(erasure, 0);
  const addresses = JSON.parse(core.secrets.decrypt(sealContextOf(erasure), erasure.addresses)) as string[];
  const deadline = performance.now() + TURN_MS;
  const isTimeUp = (): boolean => signal.aborted || performance.now() > deadline;
  const began = erasure.pass.began ?? now;
  for (let { done, open } = erasure.pass; done < erasure.contactIds.length; done++) {
    const person = { projectId, contactId: erasure.contactIds[done] ?? '', address: addresses[done] ?? '' };
    const mail = await countUnerased(person, await mailIdsUnderWay(projectId, person.contactId));
    const subject = await subjectOf(erasure, person, now);
    const found = mail + (await countWaiting(projectId, person.contactId, subject.eventsUpTo));
    const { counts, unfinished } = await erasePerson(core, subject, now, isTimeUp);
    open += unfinished ? 0 : found;
    await note(erasure, counts, { pass: { done: unfinished ? done : done + 1, began, open }, status: 'running' });
    if (isTimeUp()) return progressOf(await reread(erasure), 0);
  }
  return endPass(await reread(erasure), began, now);
}

/**
 * Keeps what came after the deletion for a contact that was made again. The time up to which events are erased is read after mail was counted: what
 * ended before the count left its events by then, though this batch may have been scheduled earlier.
 */
async function subjectOf({ before }: Pick<Erasure, 'before'>, person: Person, now: Date): Promise<Subject> {
  const { projectId, contactId } = person;
  const eventsNow = new Date(Math.max(now.getTime(), (await databaseNow()).getTime()));
  const isAnew = (await findContacts(projectId, [contactId])).has(contactId);
  const quietAt = new Date(before.getTime() + IN_FLIGHT_MS);
  const upTo = isAnew ? before : quietAt;
  const eventsUpTo = isAnew || eventsNow < upTo ? upTo : eventsNow;
  return { ...person, upTo, eventsUpTo, isAnew, isQuiet: now >= quietAt };
}

type Person = Pick<Subject, 'projectId' | 'contactId' | 'address'>;

interface Done {
  readonly counts: Readonly<Record<string, number>>;
  /** The time was up. */
  readonly unfinished: boolean;
}

async function erasePerson(core: Core, subject: Subject, now: Date, isTimeUp: () => boolean): Promise<Done> {
  const counts: Record<string, number> = {};
  for (const [name, step] of STEPS) {
    for (let rows = await step(core, subject, now); rows > 0; rows = await step(core, subject, now)) {
      counts[name] = (counts[name] ?? 0) + rows;
      if (isTimeUp()) return { counts, unfinished: true };
    }
  }
  return { counts, unfinished: false };
}

async function note({ _id, projectId }: Erasure, counts: Done['counts'], set: Partial<Erasure>): Promise<void> {
  const $inc = Object.fromEntries(Object.entries(counts).map(([name, by]) => [`erased.${name}`, by]));
  await ErasureModel.updateOne({ _id, projectId }, { $set: set, $inc });
}

async function endPass(erasure: Erasure, began: Date, now: Date): Promise<ErasureProgress> {
  const { before, pass, waits } = erasure;
  const quietAt = before.getTime() + IN_FLIGHT_MS;
  const anew = { done: 0, began: null, open: 0 };
  if (pass.open === 0 && began.getTime() >= quietAt) {
    await note(erasure, {}, { status: 'completed', addresses: null, pass: anew, open: 0, finishedAt: new Date() });
    return progressOf(await reread(erasure), 0);
  }
  const isQuiet = now.getTime() >= quietAt;
  await note(erasure, {}, { status: 'waiting', pass: anew, open: pass.open, waits: isQuiet ? waits + 1 : 0 });
  const waitMs = isQuiet ? Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** waits) : quietAt - now.getTime();
  return progressOf(await reread(erasure), waitMs);
}

const reread = async ({ _id, projectId }: Erasure): Promise<Erasure> =>
  (await ErasureModel.findOne({ _id, projectId }).lean<Erasure>()) as Erasure;

const progressOf = ({ status, contactIds, erased, open }: Erasure, waitMs: number): ErasureProgress => ({
  status,
  contacts: contactIds.length,
  erased: Object.values(erased).reduce((sum, rows) => sum + rows, 0),
  open,
  waitMs,
});

/** A person who is being erased. */
interface Subject extends Erased {
  /** Up to when events are theirs: now, unless the address has a new contact. */
  readonly eventsUpTo: Date;
  readonly isAnew: boolean;
  /** True once everything that was being written or announced at the deletion is done. */
  readonly isQuiet: boolean;
}

/** Erases a page. Resolves to how many rows it was; none means that none is left. */
type Step = (core: Core, subject: Subject, now: Date) => Promise<number>;

const PAGE = 500;
/** Their charges are given back in transactions that they share. */
const CANCELLED_TOGETHER = 50;

const cancelMail: Step = async (core, subject, now) =>
  cancelScheduled(core, subject.projectId, await findScheduled(subject, now, CANCELLED_TOGETHER));

/** Lists the events of deferred attempts: after the deletion they name no contact, and the message has no instants of them. */
const deferralsOf = ({ _id, attempts }: MailTrace): readonly string[] =>
  Array.from({ length: attempts ?? 0 }, (_, n) => deferredEventId(_id, n + 1));

// The message itself comes last: by it the rest is found.
const emails: Step = async (_core, subject) => {
  const traces = await findTraces(subject, PAGE);
  if (traces.length === 0) return 0;
  const ids = traces.map(({ _id }) => _id);
  await eraseLinks(subject, traces);
  await eraseAtInstants(
    subject.projectId,
    ids,
    traces.flatMap((trace) => INSTANTS.flatMap((name) => trace[name] ?? [])),
  );
  await eraseByIds(subject.projectId, traces.flatMap(deferralsOf));
  await eraseAttachments(subject, traces);
  await eraseContents(subject, traces);
  await forgetTrails(ids);
  const erased = await eraseMail(subject, ids);
  // From now on, visits keep no links; one may have come in between.
  await forgetTrails(ids);
  return erased;
};

/** Removes rows of the contact that were written late. */
const belongings: Step = async (core, { projectId, contactId, upTo }) => {
  await detachEmails(projectId, [contactId], upTo);
  await deleteNotes(projectId, [contactId], upTo);
  await removeFromSegments(projectId, [contactId], upTo);
  await cancelOfContacts(core, projectId, [contactId], upTo);
  return 0;
};

/** Removes replies to the person, from anyone, once webhooks have received them. */
const replies: Step = async (_core, subject) => {
  const { projectId, address, eventsUpTo, isQuiet } = subject;
  const traces = isQuiet ? await findRepliesTo(subject, PAGE) : [];
  if (traces.length === 0) return 0;
  const { idSalt } = await getProject(projectId);
  const others = traces.map(({ source, to, fromEmail }) => personId('ctc', idSalt, source === 'inbound' ? fromEmail : to));
  await endDeliveries(projectId, others, eventsUpTo, address);
  const received = traces.filter(({ source }) => source === 'inbound');
  await eraseAtInstants(
    projectId,
    received.map(({ _id }) => _id),
    received.map(({ createdAt }) => createdAt),
  );
  return eraseRepliesTo(
    subject,
    traces.map(({ _id }) => _id),
  );
};

const deliveries: Step = (_core, { projectId, contactId, eventsUpTo, isQuiet }) =>
  (isQuiet ? endDeliveries : forgetInDeliveries)(projectId, [contactId], eventsUpTo);

/** In this order for each person. All that a step finds by is still there when it is repeated after a crash. */
const STEPS: readonly (readonly [name: string, step: Step])[] = [
  ['scheduledEmails', cancelMail],
  ['belongings', belongings],
  ['emails', emails],
  ['copies', (_core, subject) => eraseFromCopies(subject, PAGE)],
  ['campaignRecipients', (_core, subject) => eraseRecipients(subject)],
  ['events', (_core, { projectId, contactId, eventsUpTo }) => eraseEvents(projectId, [contactId], eventsUpTo, PAGE)],
  ['executions', (_core, { projectId, contactId, upTo }) => detachExecutions(projectId, [contactId], upTo)],
  ['webhookDeliveries', deliveries],
  ['replies', replies],
  ['importErrors', (_core, subject) => eraseFromImports(subject)],
  ['approvals', (_core, { projectId, contactId, upTo }) => eraseFromApprovals(projectId, contactId, upTo)],
  ['optIns', (_core, { projectId, contactId, upTo }) => removeOptIns(projectId, contactId, upTo)],
  ['limits', (_core, { projectId, contactId, isAnew }) => (isAnew ? Promise.resolve(0) : eraseLimits(projectId, contactId))],
  ['consent', (_core, { projectId, contactId, upTo }, now) => eraseConsent(projectId, contactId, upTo, now)],
  [
    'suppressions',
    (_core, { projectId, contactId, isAnew }) => (isAnew ? Promise.resolve(0) : eraseFromSuppressions(projectId, contactId)),
  ],
];
