import type { Document } from 'mongodb';
import { erasedAddress } from '../../platform/addresses';
import { campaignMailId } from '../../rules/campaign-mail-ids';
import { campaignStarts } from './campaign-starts';
import { idsInClaims } from './claims';
import { isOwnContent } from './content';
import { BlobModel, ContentModel } from './content-model';
import { EmailModel } from './model';
import { COPIES_INDEX, REPLY_INDEX, TO_INDEX } from './indexes';
import type { Email } from './model';
import { filtersOf } from './mail-to-recipients';
import { projectionOf } from './row';
import type { EmailRow } from './row';

/** A person whose traces are to go, of those from up to an instant: what came later belongs to a contact made again. */
export interface Erased {
  readonly projectId: string;
  readonly contactId: string;
  readonly address: string;
  readonly upTo: Date;
}

const OPEN = ['queued', 'sending'] as const;

const emails = () => EmailModel.collection;

/** The data that depends on a message and is erased before it, so that after a crash in between the message is found again. */
export type MailTrace = Pick<EmailRow, '_id' | 'campaignId' | 'contentId' | 'attachments' | 'attempts'> &
  Readonly<Record<(typeof INSTANTS)[number], Date | undefined>>;

/** When something happened to a message for which an event was emitted. */
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

const TRACES = projectionOf(['campaignId', 'attempts', 'contentId', 'attachments', ...INSTANTS]);

/** Forces that index: the planner's trial of a few rows is misleading here. */
interface Mail {
  readonly filter: Document;
  readonly hint: string;
}

/** Finds mail to the person: first other mail, then campaign mail. */
async function mailTo({ projectId, contactId, address }: Pick<Erased, 'projectId' | 'contactId' | 'address'>): Promise<readonly Mail[]> {
  const byCampaigns = await filtersOf({ projectId, contactIds: [contactId] });
  return [
    { filter: { projectId, to: address }, hint: TO_INDEX },
    ...byCampaigns.map((filter) => ({ filter: { ...filter, 'recipient.to': address }, hint: '_id_' })),
  ];
}

/** Finds messages to the person that are over, at most `limit`. Those with attachments wait until none is open any more, which may have the same ones. */
export async function findTraces(person: Erased, limit: number): Promise<readonly MailTrace[]> {
  const found: MailTrace[] = [];
  const isOpen = (await countUnerased(person)) > 0;
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
  const filter = { _id: { $in: [...ids] }, projectId, status: { $nin: [...OPEN] } };
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
    { $unset: ['contactId', 'toName', 'headers', 'attachments', 'contentId', 'error', 'response', 'received', 'tags', 'copied', 'limits'] },
  ]);
  return modifiedCount;
}

/** Returns the filter for messages with words that were rendered for the person; the index covers the people in the headers. */
const wordsFor = ({ projectId, contactId }: Pick<Erased, 'projectId' | 'contactId'>) => ({
  projectId,
  'copied.people': contactId,
  'copied.words': contactId,
});

/** Deletes what was written for the person alone, once none but these messages has it. */
export async function eraseContents(
  { projectId, contactId }: Pick<Erased, 'projectId' | 'contactId'>,
  traces: readonly Pick<MailTrace, '_id' | 'contentId'>[],
): Promise<void> {
  const ids = [...new Set(traces.flatMap(({ contentId }) => (contentId && isOwnContent(contentId) ? [contentId] : [])))];
  if (ids.length === 0) return;
  const others = { ...wordsFor({ projectId, contactId }), _id: { $nin: traces.map(({ _id }) => _id) }, contentId: { $in: ids } };
  const rows = await emails()
    .find<Pick<MailTrace, 'contentId'>>(others, { projection: { contentId: 1 }, hint: COPIES_INDEX })
    .toArray();
  const needed = new Set(rows.map(({ contentId }) => contentId));
  const gone = ids.filter((id) => !needed.has(id));
  await ContentModel.collection.deleteMany({ _id: { $in: gone }, projectId });
}

/** Takes a person out of messages to others that name them, and the words that were rendered for them. Resolves to how many messages it was. */
export async function eraseFromCopies({ projectId, contactId, address, upTo }: Erased, limit: number): Promise<number> {
  // Words are needed as long as the message is on its way; names are not.
  const wordsOnTheirWay = { 'copied.words': contactId, status: { $in: [...OPEN] } };
  const named = { projectId, 'copied.people': contactId, to: { $ne: address }, createdAt: { $lte: upTo }, $nor: [wordsOnTheirWay] };
  const rows = await emails()
    .find<Pick<EmailRow, '_id' | 'contentId' | 'copied'>>(named, { projection: { contentId: 1, copied: 1 }, limit, hint: COPIES_INDEX })
    .toArray();
  if (rows.length === 0) return 0;
  const theirs = rows.filter(({ copied }) => copied?.words === contactId);
  await eraseContents({ projectId, contactId }, theirs);
  const areTheirs = { $eq: ['$copied.words', contactId] };
  const without = (list: string) => ({ $filter: { input: list, cond: { $ne: ['$$this.address', address] } } });
  const unless = (member: string, instead: unknown = '$$REMOVE') => ({ $cond: [areTheirs, instead, `$${member}`] });
  const { modifiedCount } = await emails().updateMany({ ...named, _id: { $in: rows.map(({ _id }) => _id) } }, [
    {
      $set: {
        copied: {
          as: '$copied.as',
          to: without('$copied.to'),
          cc: without('$copied.cc'),
          people: { $setDifference: ['$copied.people', [contactId]] },
          words: unless('copied.words'),
        },
        subject: unless('subject', ''),
        inline: unless('inline', { $literal: BLANK }),
        values: unless('values', '{}'),
        content: unless('content', 'gone'),
        headers: unless('headers'),
        attachments: unless('attachments'),
        contentId: unless('contentId'),
        tags: unless('tags'),
      },
    },
  ]);
  return modifiedCount;
}

/** Deletes attachments that no other message has. */
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

/** Resolves to the number of messages to the person that are on their way, campaign mail without rows included. */
export async function countUnerased(
  person: Pick<Erased, 'projectId' | 'contactId' | 'address'>,
  starting: readonly string[] = [],
): Promise<number> {
  const counts = (await mailTo(person)).map(({ filter, hint }) =>
    emails().countDocuments({ ...filter, status: { $in: [...OPEN] } }, { hint }),
  );
  counts.push(
    emails().countDocuments({ ...wordsFor(person), to: { $ne: person.address }, status: { $in: [...OPEN] } }, { hint: COPIES_INDEX }),
  );
  const known = [...(await campaignStarts(person.projectId)).values()].map((start) => campaignMailId(start, person.contactId));
  const claimed = idsInClaims([...new Set([...known, ...starting])]);
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0) + (await claimed).length;
}

/** Finds messages to the person, or with words for them, that wait for a time that is still ahead, at most `limit`. */
export async function findScheduled({ projectId, contactId, address, upTo }: Erased, now: Date, limit: number): Promise<readonly string[]> {
  const waiting = { status: 'queued', attempts: 0, scheduledFor: { $gt: now }, createdAt: { $lte: upTo } };
  const own = { filter: { projectId, to: address, ...waiting }, hint: TO_INDEX };
  const copies = { filter: { ...wordsFor({ projectId, contactId }), ...waiting }, hint: COPIES_INDEX };
  const found = await Promise.all(
    [own, copies].map(({ filter, hint }) =>
      emails()
        .find(filter, { projection: { _id: 1 }, limit, hint })
        .toArray(),
    ),
  );
  return [...new Set(found.flat().map(({ _id }) => _id))].slice(0, limit);
}

/** Mail that is not written for many: a campaign's address for answers is the project's own. */
const SINGLE = { source: { $in: ['transactional', 'inbound'] } } as const;

/** Finds messages to or from others whose answers go to the person, at most `limit`. */
export const findRepliesTo = ({ projectId, address, upTo }: Omit<Erased, 'contactId'>, limit: number): Promise<readonly Email[]> =>
  emails()
    .find<Email>({ projectId, replyTo: address, ...SINGLE, createdAt: { $lte: upTo } }, { limit, hint: REPLY_INDEX })
    .toArray();

/** Takes the person out of messages as the one who gets the answers: those of mail that has not left go to its sender. */
export async function eraseRepliesTo(
  { projectId, address }: Pick<Erased, 'projectId' | 'address'>,
  ids: readonly string[],
): Promise<number> {
  const filter = { _id: { $in: [...ids] }, projectId, replyTo: address };
  return (await emails().updateMany(filter, { $unset: { replyTo: '', replyToName: '' } })).modifiedCount;
}
