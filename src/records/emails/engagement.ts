import type { ClientSession } from 'mongoose';
import { claimsWith } from './claims';
import { EmailModel } from './model';
import type { Email } from './model';
import { findMail, projectionOf, toEmail } from './row';
import type { EmailRow } from './row';

const FACTS = [
  ...(['projectId', 'to', 'contactId', 'source', 'campaignId', 'contentId', 'testMode', 'topic', 'status', 'untracked', 'sentAt'] as const),
  ...(['opens', 'clicks', 'openedAt', 'clickedAt', 'proxiedAt', 'scannedAt'] as const),
] as const;

/** The facts of a message for the actions of anyone who holds its links. */
export type EmailFacts = Pick<Email, '_id' | (typeof FACTS)[number]> & {
  /** It is being sent, and has no row yet that could be changed. */
  readonly hasNoRow?: true;
};

const PROJECTION = projectionOf([...FACTS, 'recipient']);

/** All engagement of people with one message. */
export interface Engagement extends Pick<Email, 'projectId' | 'opens' | 'clicks' | 'openedAt' | 'clickedAt'> {
  readonly emailId: string;
  /** An open or a click that was counted is none any more. */
  readonly retracts: boolean;
}

const emails = () => EmailModel.collection;

const is = (statuses: readonly string[], member: string) => ({
  $and: [{ $in: ['$status', statuses] }, { $ne: [{ $ifNull: [`$${member}`, null] }, null] }],
});

const fell = (status: string, to: string, from: string): Record<string, unknown> => ({
  $and: [...is([status], to).$and, { $eq: [{ $ifNull: [`$${from}`, null] }, null] }],
});

/** Forward only, and never out of a final status. What is not recorded as sent stays as it is: the record of its delivery raises it. */
const RAISE_STATUS = {
  $set: {
    status: {
      $switch: {
        branches: [
          { case: is(['sent', 'delivered', 'opened'], 'clickedAt'), then: 'clicked' },
          { case: is(['sent', 'delivered'], 'openedAt'), then: 'opened' },
        ],
        default: '$status',
      },
    },
  },
};

/** Back to what is still true. */
const LOWER_STATUS = {
  $set: {
    status: {
      $switch: {
        branches: [
          { case: fell('clicked', 'openedAt', 'clickedAt'), then: 'opened' },
          ...['clicked', 'opened'].flatMap((status) => [
            { case: fell(status, 'deliveredAt', 'openedAt'), then: 'delivered' },
            { case: fell(status, 'sentAt', 'openedAt'), then: 'sent' },
          ]),
        ],
        default: '$status',
      },
    },
  },
};

/**
 * Records what people did with messages, and their status by it. In a transaction that read the messages before: another writer in between makes it begin again.
 */
export async function engage(session: ClientSession, engagements: readonly Engagement[]): Promise<void> {
  if (engagements.length === 0) return;
  const writes = engagements.map(({ projectId, emailId, opens, clicks, openedAt, clickedAt, retracts }) => {
    const said = { opens, clicks, ...(openedAt && { openedAt }), ...(clickedAt && { clickedAt }) };
    const unsaid = [...(openedAt ? [] : ['openedAt']), ...(clickedAt ? [] : ['clickedAt'])];
    const lower = retracts ? [...(unsaid.length > 0 ? [{ $unset: unsaid }] : []), LOWER_STATUS] : [];
    const update = [{ $set: said }, ...lower, RAISE_STATUS];
    return { updateOne: { filter: { _id: emailId, projectId }, update, hint: '_id_' } };
  });
  await emails().bulkWrite(writes, { session, ordered: false });
}

/** When machines first came to a message; an instant that is absent did not happen, or is known. */
export interface MachineVisit extends Pick<Email, 'projectId' | 'proxiedAt' | 'scannedAt'> {
  readonly emailId: string;
}

/** Notes on messages that machines came to them, and nothing else. In a transaction that read the messages before. */
export async function noteMachines(session: ClientSession, visits: readonly MachineVisit[]): Promise<void> {
  if (visits.length === 0) return;
  const writes = visits.map(({ projectId, emailId, proxiedAt, scannedAt }) => {
    const $set = { ...(proxiedAt && { proxiedAt }), ...(scannedAt && { scannedAt }) };
    return { updateOne: { filter: { _id: emailId, projectId }, update: { $set }, hint: '_id_' } };
  });
  await emails().bulkWrite(writes, { session, ordered: false });
}

/** Notes that the recipient opted out through this message. Resolves to whether it is the first time. */
export async function noteOptOut(
  session: ClientSession,
  { _id, projectId }: Pick<EmailFacts, '_id' | 'projectId'>,
  at: Date,
): Promise<boolean> {
  const filter = { _id, projectId, unsubscribedAt: null };
  return (await emails().updateOne(filter, { $set: { unsubscribedAt: at } }, { session, hint: '_id_' })).modifiedCount === 1;
}

/** Resolves to what is known of messages without their content, by id, as far as they exist. */
export async function findFacts(ids: readonly string[], session?: ClientSession): Promise<ReadonlyMap<string, EmailFacts>> {
  const options = { ...(session && { session }), projection: PROJECTION };
  const found = await findMail({ _id: { $in: ids } }, options);
  const facts = new Map<string, EmailFacts>(found.map((email) => [email._id, email]));
  const missing = ids.filter((id) => !facts.has(id));
  if (missing.length > 0) for (const fact of await factsOfNewest(missing)) facts.set(fact._id, fact);
  return facts;
}

/** Reads the newest facts, since campaign mail may be read before its worker has recorded it, and a claim that is gone has left rows, which a transaction does not see yet. */
async function factsOfNewest(ids: readonly string[]): Promise<readonly EmailFacts[]> {
  const claimed = await factsOfClaimed(ids);
  const known = new Set(claimed.map(({ _id }) => _id));
  const others = ids.filter((id) => !known.has(id));
  if (others.length === 0) return claimed;
  const found = await findMail({ _id: { $in: others } }, { projection: PROJECTION });
  return [...claimed, ...found.map((email): EmailFacts => ({ ...email, hasNoRow: true }))];
}

/** Reads claimed messages: campaign mail may be read before its worker has recorded it. */
async function factsOfClaimed(ids: readonly string[]): Promise<readonly EmailFacts[]> {
  const wanted = new Set(ids);
  return (await claimsWith(ids)).flatMap(({ projectId, campaignId, testMode, emails: claimed, contacts, to }) =>
    claimed.flatMap((_id, at): EmailFacts[] => {
      if (!wanted.has(_id)) return [];
      const whose = { to: to[at] ?? '', contactId: contacts[at] ?? null };
      const untouched = { contentId: null, status: 'sending', sentAt: null, opens: 0, clicks: 0, openedAt: null, clickedAt: null } as const;
      return [{ _id, projectId, campaignId, testMode, ...whose, ...untouched, source: 'campaign', hasNoRow: true }];
    }),
  );
}

const LONGEST_MS = 10_000;
const POLL_MS = 100;

/** Waits for the row of a message that is being sent, but no longer than a reader does. Resolves to what is known of it. */
export async function untilWritten(emailId: string): Promise<EmailFacts | undefined> {
  const until = performance.now() + LONGEST_MS;
  for (;;) {
    const facts = (await findFacts([emailId])).get(emailId);
    if (!facts?.hasNoRow || performance.now() >= until) return facts;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Resolves to a whole message. The caller must have verified its signed link. */
export async function findWhole(emailId: string): Promise<Email | null> {
  const facts = await untilWritten(emailId);
  const row = facts && (await emails().findOne<EmailRow>({ _id: emailId, projectId: facts.projectId }));
  return row ? toEmail(row) : null;
}
