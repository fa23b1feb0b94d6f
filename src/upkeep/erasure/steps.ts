import { eraseFromApprovals } from '../../marketing/approvals';
import { cancelOfContacts, detachExecutions } from '../../marketing/automations';
import { eraseLinks, eraseRecipients } from '../../marketing/campaigns';
import { eraseFromImports } from '../../audience/lists';
import { deleteNotes } from '../../audience/contacts';
import { eraseConsent } from '../../records/consent';
import type { Core } from '../../platform/core';
import { cancelScheduled } from '../../sending/accept';
import {
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
import type { Erased, MailTrace } from '../../records/emails';
import { eraseAtInstants, eraseByIds, eraseEvents } from '../../records/events';
import { removeFromSegments } from '../../audience/segments';
import { eraseLimits } from '../../records/person-limits';
import { eraseFromSuppressions } from '../../records/suppressions';
import { endDeliveries, forgetInDeliveries } from '../../sending/webhooks';
import { removeOptIns } from '../../sending/opt-in';
import { forgetTrails } from '../../sending/tracking';
import { getProject } from '../../records/projects';
import { personId } from '../../platform/addresses';
import { deferredEventId } from '../../rules/email-events';

/** A person who is being erased. */
export interface Subject extends Erased {
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
export const STEPS: readonly (readonly [name: string, step: Step])[] = [
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
