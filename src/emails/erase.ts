import type { Document } from 'mongodb';
import { erasedAddress } from '../erased-address';
import { campaignMailId } from '../rules/campaign-mail-ids';
import { campaignStarts } from './campaign-starts';
import { idsInClaims } from './claims';
import { BlobModel } from './content-model';
import { EmailModel, TO_INDEX } from './model';
import type { Email } from './model';
import { filtersOf } from './of-recipients';
import type { EmailRow } from './row';

/** A person whose traces are to go, of those from up to an instant: what came later belongs to a contact made anew. */
export interface Erased {
  readonly projectId: string;
  readonly contactId: string;
  readonly address: string;
  readonly upTo: Date;
}

const OPEN = ['queued', 'sending'] as const;

const emails = () => EmailModel.collection;

/** What hangs on a message and is erased before it, so that a crash in between leaves the message to be found again. */
export type MailTrace = Pick<EmailRow, '_id' | 'campaignId' | 'contentId' | 'attachments'> &
  Readonly<Record<(typeof INSTANTS)[number], Date | undefined>>;

/** When something happened to a message that was told. */
export const INSTANTS = [
  'createdAt',
  'sentAt',
  'deliveredAt',
  'openedAt',
  'clickedAt',
  'bouncedAt',
  'complainedAt',
  'unsubscribedAt',
] as const satisfies readonly (keyof Email)[];

const TRACES = {
  campaignId: 1,
  contentId: 1,
  attachments: 1,
  ...(Object.fromEntries(INSTANTS.map((name) => [name, 1])) as Record<(typeof INSTANTS)[number], 1>),
} as const;

/** Found along that index, whatever the planner makes of the few rows that it tries. */
interface Mail {
  readonly filter: Document;
  readonly hint: string;
}

/** Mail to the person, but for that of campaigns, and then that of campaigns. */
async function mailTo({ projectId, contactId, address }: Pick<Erased, 'projectId' | 'contactId' | 'address'>): Promise<readonly Mail[]> {
  const byCampaigns = await filtersOf({ projectId, contactIds: [contactId] });
  return [
    { filter: { projectId, to: address }, hint: TO_INDEX },
    ...byCampaigns.map((filter) => ({ filter: { ...filter, 'recipient.to': address }, hint: '_id_' })),
  ];
}

/** Messages to the person that are over, at most `limit`. Those with attachments wait until none is open any more, which may have the same ones. */
export async function findTraces(person: Erased, limit: number): Promise<readonly MailTrace[]> {
  const found: MailTrace[] = [];
  const isOpen = (await countOpen(person)) > 0;
  const over = { createdAt: { $lte: person.upTo }, status: { $nin: [...OPEN] }, ...(isOpen && { attachments: { $exists: false } }) };
  for (const { filter, hint } of await mailTo(person)) {
    const rows = emails().find<MailTrace>({ ...filter, ...over }, { projection: TRACES, limit: limit - found.length, hint });
    found.push(...(await rows.toArray()));
    if (found.length >= limit) break;
  }
  return found;
}

const BLANK = { subject: '', html: '', text: '', previewText: null };

/** Takes address, words and values out of messages that are over. What happened to them, and when, stays. */
export async function eraseMail({ projectId, contactId }: Erased, ids: readonly string[]): Promise<number> {
  const to = erasedAddress(contactId);
  const filter = { _id: { $in: [...ids] as never[] }, projectId, status: { $nin: [...OPEN] } };
  const { modifiedCount } = await emails().updateMany(filter, [
    {
      $set: {
        to: { $cond: [{ $eq: [{ $type: '$recipient' }, 'missing'] }, to, '$$REMOVE'] },
        recipient: { $cond: [{ $eq: [{ $type: '$recipient' }, 'missing'] }, '$$REMOVE', { to, contactId: null }] },
        subject: '',
        inline: { $literal: BLANK },
        values: '{}',
        erased: true,
      },
    },
    { $unset: ['contactId', 'toName', 'headers', 'attachments', 'contentId', 'error', 'response', 'received', 'tags'] },
  ]);
  return modifiedCount;
}

/** Deletes attachments that went to nobody else. */
export async function eraseAttachments(
  { projectId, contactId, upTo }: Omit<Erased, 'address'>,
  traces: readonly Pick<MailTrace, 'attachments'>[],
): Promise<void> {
  const ids = traces.flatMap(({ attachments = [] }) => attachments.flatMap(({ blobId }) => blobId ?? []));
  if (ids.length === 0) return;
  const theirs = { _id: { $in: ids as never[] }, projectId };
  await BlobModel.collection.updateMany({ ...theirs, owners: contactId, usedAt: { $lte: upTo } }, {
    $pull: { owners: contactId },
  } as never);
  await BlobModel.collection.deleteMany({ ...theirs, owners: { $size: 0 } });
}

/** How many messages to the person are on their way, those of campaigns that have no rows yet included. */
export async function countOpen(
  person: Pick<Erased, 'projectId' | 'contactId' | 'address'>,
  starting: readonly string[] = [],
): Promise<number> {
  const counts = (await mailTo(person)).map(({ filter, hint }) =>
    emails().countDocuments({ ...filter, status: { $in: [...OPEN] } }, { hint }),
  );
  const known = [...(await campaignStarts(person.projectId)).values()].map((start) => campaignMailId(start, person.contactId));
  const claimed = idsInClaims([...new Set([...known, ...starting])]);
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0) + (await claimed).length;
}

/** Messages to the person that wait for a time that is still ahead, at most `limit`. */
export async function findScheduled({ projectId, address, upTo }: Erased, now: Date, limit: number): Promise<readonly string[]> {
  const waiting = { projectId, to: address, status: 'queued', attempts: 0, scheduledFor: { $gt: now }, createdAt: { $lte: upTo } };
  const rows = await emails()
    .find(waiting as never, { projection: { _id: 1 }, limit, hint: TO_INDEX })
    .toArray();
  return rows.map(({ _id }) => _id as unknown as string);
}
