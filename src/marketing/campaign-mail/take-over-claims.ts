import { asOfContent, findCampaign, giveUpClaims } from '../campaigns';
import type { Campaign } from '../campaigns';
import { findContacts } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import type { Core } from '../../platform/core';
import { claimsOf, endClaim, findWritten, insertWrittenRows, isHolder, toEmail, toRow } from '../../records/emails';
import type { Attempt, CampaignClaim, Claims, Email, WrittenRow } from '../../records/emails';
import type { EmailEvent } from '../../records/events';
import { metrics } from '../../platform/metrics';
import { inTransaction } from '../../platform/mongo';
import { getProject } from '../../records/projects';
import { campaignMessage, contentsOf, outgoingOf } from './mail';
import { cancel, emitCounted, eventOf } from '../../sending/deliver';

/**
 * Takes over the campaign claims of a worker. Claims that have not begun are given up. Of the others, messages with rows keep them, and missing events are
 * stored; the rest is in doubt, and goes into the queue with the same Message-ID. Should the worker live and be late, its results settle these rows.
 *
 * | killed                  | found                             | happens                                        |
 * |-------------------------|-----------------------------------|------------------------------------------------|
 * | before the rows         | the claim                         | taken over the next time                       |
 * | after some or all       | the claim, rows in the queue      | the same; existing rows stay as they are       |
 * | after the events        | the same                          | the same; each event exists once               |
 * | after the claim's end   | only rows                         | the pump sends what is in the queue            |
 *
 * Resolves to the shards to wake.
 */
export async function takeOverClaims(core: Core, claims: Claims, now: Date): Promise<readonly number[]> {
  const shards = new Set<number>();
  for (const claim of await claimsOf(claims)) {
    if (!claim.begun) await inTransaction((session) => giveUpClaims({ campaignId: claim.campaignId, _id: claim._id }, session));
    else for (const { shard } of await takeOverBegun(core, claim, now)) shards.add(shard);
  }
  return [...shards];
}

async function takeOverBegun(core: Core, claim: CampaignClaim, now: Date): Promise<readonly Email[]> {
  const campaign = await findCampaign(claim.projectId, claim.campaignId);
  const before = new Set((await findWritten(claim.projectId, claim.emails)).map(({ _id }) => _id));
  const contacts = await contactsOf(claim, campaign);
  const inDoubt = campaign ? await doubtful(core, claim, campaign, before, contacts) : [];
  if (inDoubt.length > 0) metrics.inDoubt.inc({ cause: 'worker_lost' }, inDoubt.length);
  await insertWrittenRows(inDoubt.map((email) => toRow(email)));
  for (const email of inDoubt) if (!contacts.has(email.contactId ?? '')) await cancel(email, 'deleted', now);
  const rows = (await findWritten(claim.projectId, claim.emails)).filter(
    ({ attempt, status }) => attempt?.id === claim._id && status !== 'queued',
  );
  await emitCounted(rows.filter((row) => !isHolder(row)).flatMap(eventsOfRow));
  await endClaim(claim);
  return inDoubt;
}

/** Loads the contacts that still exist; one that was deleted and created again after the start does not count. */
async function contactsOf({ projectId, contacts }: CampaignClaim, campaign: Campaign | null): Promise<ReadonlyMap<string, Contact>> {
  const found = await findContacts(projectId, contacts);
  const startedAt = campaign?.startedAt;
  return startedAt ? new Map([...found].filter(([, { createdAt }]) => createdAt <= startedAt)) : found;
}

/** Returns rows for messages that have none. They are due since their claim, so that after a restore the fence recognizes older ones. */
async function doubtful(
  core: Core,
  claim: CampaignClaim,
  campaign: Campaign,
  written: ReadonlySet<string>,
  contacts: ReadonlyMap<string, Contact>,
): Promise<readonly Email[]> {
  const outgoing = await outgoingOf(core, await getProject(claim.projectId), asOfContent(campaign, claim.contents[0]));
  const attempt: Attempt = { id: claim._id, worker: claim.worker, at: claim.at };
  const charge = claim.month === null ? null : { month: claim.month, credits: 1 };
  const rows: Email[] = [];
  for (const [at, emailId] of claim.emails.entries()) {
    if (written.has(emailId)) continue;
    const contactId = claim.contacts[at] ?? '';
    const recipient = { emailId, email: claim.to[at] ?? '' };
    const contact = contacts.get(contactId) ?? { ...NO_DATA, _id: contactId };
    const contents = await contentsOf(claim.contents[at] ?? claim.contents[0] ?? '');
    const { email } = campaignMessage(core, outgoing, { recipient, contact }, contents, charge, attempt);
    rows.push({ ...email, status: 'queued', dueAt: claim.at, ...(!contacts.has(contactId) && { contactId: null }) });
  }
  return rows;
}

const NO_DATA = { firstName: null, lastName: null, locale: null, data: {} };

/** Returns the events of a row that holds none, some of which may be stored. Queued messages get theirs when they are sent. */
function eventsOfRow(row: WrittenRow): readonly EmailEvent[] {
  const email = toEmail(row);
  const { createdAt, sentAt, deliveredAt, bouncedAt, bounceType, error } = email;
  const answer = row.response === undefined ? {} : { response: row.response };
  return [
    eventOf(email, createdAt, 'email.queued'),
    ...(sentAt ? [eventOf(email, sentAt, 'email.sent', answer)] : []),
    ...(deliveredAt ? [eventOf(email, deliveredAt, 'email.delivered', answer)] : []),
    ...(bouncedAt && !sentAt ? [eventOf(email, bouncedAt, 'email.bounced', { bounceType, reason: error })] : []),
    ...(email.status === 'failed' ? [eventOf(email, createdAt, 'email.failed', { reason: error })] : []),
  ];
}
