import type { Core } from '../../platform/core';
import { metrics } from '../../platform/metrics';
import { claimsOf, endClaim, findClaimed, findWritten, giveBack, insertWrittenRows, isHolder, toEmail, toRow } from '../../records/emails';
import type { CampaignClaim, Claims, Email, WrittenRow } from '../../records/emails';
import type { EmailEvent } from '../../records/events';
import { campaignWork } from './hooks';
import { eventOf } from './outcome';
import { cancel } from './recheck';
import { emitCounted } from './counts';

/**
 * Takes over what a worker had on the wire: messages of the queue, pages of campaigns, and the claims of their messages. Claims that have not begun are given
 * up. All other messages without an outcome are in doubt, and go into the queue with the same Message-ID. Should the worker live and be late, its results settle
 * their rows, and its events have the ids that the next attempt uses. Resolves to the shards to wake.
 *
 * | killed                                | found                               | happens                                        |
 * |---------------------------------------|-------------------------------------|------------------------------------------------|
 * | while messages of the queue go back   | some are back, others are `sending` | the others are taken over the next time        |
 * | claim: before the rows                | the claim                           | taken over the next time                       |
 * | claim: after some or all rows         | the claim, rows in the queue        | the same; existing rows stay as they are       |
 * | claim: after the events               | the same                            | the same; each event exists once               |
 * | claim: after its end                  | only rows                           | the pump sends what is in the queue            |
 */
export async function takeOver(core: Core, claims: Claims, now: Date): Promise<readonly number[]> {
  // Pages first, so that no new claims are made under them while the claims are read.
  await campaignWork.only.takePages(claims);
  return [...new Set([...(await takeOverQueued(claims)), ...(await takeOverClaims(core, claims, now))])];
}

/** Takes over messages of the queue. */
export async function takeOverQueued(claims: Claims): Promise<readonly number[]> {
  const claimed = await findClaimed(claims);
  if (claimed.length === 0) return [];
  metrics.inDoubt.inc({ cause: 'worker_lost' }, claimed.length);
  await giveBack(claims, claimed);
  return [...new Set(claimed.map(({ shard }) => shard))];
}

/** Takes over claims of campaign mail. Messages with rows keep them, and their missing events are stored. */
export async function takeOverClaims(core: Core, claims: Claims, now: Date): Promise<readonly number[]> {
  const shards = new Set<number>();
  for (const claim of await claimsOf(claims)) {
    if (!claim.begun) await campaignWork.only.giveUp(claim);
    else for (const { shard } of await takeOverBegun(core, claim, now)) shards.add(shard);
  }
  return [...shards];
}

async function takeOverBegun(core: Core, claim: CampaignClaim, now: Date): Promise<readonly Email[]> {
  const before = new Set((await findWritten(claim.projectId, claim.emails)).map(({ _id }) => _id));
  const inDoubt = await campaignWork.only.messagesOf(core, claim, before);
  if (inDoubt.length > 0) metrics.inDoubt.inc({ cause: 'worker_lost' }, inDoubt.length);
  await insertWrittenRows(inDoubt.map((email) => toRow(email)));
  for (const email of inDoubt) if (email.contactId === null) await cancel(email, 'deleted', now);
  const rows = (await findWritten(claim.projectId, claim.emails)).filter(
    ({ attempt, status }) => attempt?.id === claim._id && status !== 'queued',
  );
  await emitCounted(rows.filter((row) => !isHolder(row)).flatMap(eventsOfRow));
  await endClaim(claim);
  return inDoubt;
}

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
