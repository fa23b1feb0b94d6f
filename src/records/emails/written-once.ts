import { inOneAnswer, insertBytes, insertRows, sharedMembers } from '../../platform/mongo';
import type { RowBytes, SharedMembers } from '../../platform/mongo';
import { isNamedByContact } from '../../rules/campaign-mail-ids';
import { EmailModel } from './model';
import type { HeldEvents } from './held-events';
import type { Email } from './model';
import { toRow } from './row';
import type { EmailRow } from './row';

/** A message whose row is written when its outcome is known. */
export interface NewRow {
  readonly email: Email;
  /** What became of it, over what the message says. */
  readonly set: Partial<Email>;
  /** Null where its events are rows of their own. */
  readonly held: HeldEvents | null;
}

/** Writes messages as they are after their attempt. Resolves to the positions of those that are there already. */
export const insertWritten = (rows: readonly NewRow[]): Promise<readonly number[]> =>
  insertRows(EmailModel, rows.map(({ email, set, held }) => Object.assign(toRow(email, set), held)) as Email[]);

/** What rows of messages of one attempt and content have each for itself, all of them accepted. */
export interface OwnMembers {
  readonly _id: string;
  readonly to: string;
  readonly contactId: string;
  readonly subject: string;
  readonly values: string;
  readonly messageId: string;
  /** When it was accepted, in milliseconds. */
  readonly at: number;
}

/** Members of a row that `AlikeRows` writes for each. */
const OWN: ReadonlySet<string> = new Set([
  ...['_id', 'recipient', 'to', 'contactId', 'subject', 'values', 'messageId'],
  ...['sentAt', 'deliveredAt', 'providerMessageId'],
]);

/** Writes rows that differ in little from one of them, which is `sample`. */
export class AlikeRows {
  private readonly shared: SharedMembers;
  private readonly campaignId: string;
  private readonly isDelivered: boolean;

  constructor(
    { email, set, held }: NewRow,
    private readonly out: RowBytes,
  ) {
    const row = toRow(email, set);
    const shared = Object.fromEntries(Object.entries(row).filter(([name]) => !OWN.has(name)));
    this.shared = sharedMembers({ ...shared, grouped: held?.grouped });
    this.campaignId = email.campaignId ?? '';
    this.isDelivered = row.deliveredAt !== undefined;
  }

  /** `answer`: what the server said, as `answerMembers` encodes it. */
  add({ _id, to, contactId, subject, values, messageId, at }: OwnMembers, answer: SharedMembers): void {
    const row = this.out.begin().text('_id', _id).shared(this.shared);
    if (isNamedByContact(_id, this.campaignId, contactId)) row.begin('recipient').text('to', to).text('contactId', contactId).end();
    else row.text('to', to).text('contactId', contactId);
    row.text('subject', subject).text('values', values).text('messageId', messageId).instant('sentAt', at);
    if (this.isDelivered) row.instant('deliveredAt', at);
    row.shared(answer).end();
  }
}

/** What a server's answer means for the rows of messages that it took. */
export const answerMembers = (response: string, providerMessageId: string | null): SharedMembers =>
  sharedMembers({ response, providerMessageId: providerMessageId ?? undefined });

/** The same as `insertWritten` of rows that are encoded. */
export const insertWrittenBytes = (rows: RowBytes): Promise<readonly number[]> => insertBytes(EmailModel, rows);

export type WrittenRow = EmailRow & HeldEvents;

/** Finds rows of messages by their ids, as far as they are there, without contents. */
export const findWritten = (ids: readonly string[]): Promise<WrittenRow[]> =>
  EmailModel.collection
    .find<WrittenRow>({ _id: { $in: [...ids] as never[] } }, { projection: { inline: 0, values: 0 }, ...inOneAnswer(ids.length) })
    .toArray();
