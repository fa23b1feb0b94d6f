import { inOneAnswer, insertRows } from '../../platform/mongo';
import { isNamedByContact } from '../../rules/campaign-mail-ids';
import { EmailModel } from './model';
import type { HeldEvents } from './history';
import type { Email } from './model';
import { toRow } from './row';
import type { EmailRow } from './row';

/** Members that differ between the rows of messages of one attempt and content, all of them accepted. */
export interface OwnMembers {
  readonly _id: string;
  readonly to: string;
  readonly contactId: string;
  readonly subject: string;
  readonly values: string;
  readonly messageId: string;
  /** When it was accepted. */
  readonly at: Date;
}

/** Members that a server's answer sets in the rows of accepted messages. */
export interface AnswerMembers {
  readonly response: string;
  readonly providerMessageId: string | undefined;
}

/** Members of a row that `AlikeRows` makes for each. */
const OWN: ReadonlySet<string> = new Set([
  ...['_id', 'recipient', 'to', 'contactId', 'subject', 'values', 'messageId'],
  ...['sentAt', 'deliveredAt', 'providerMessageId', 'response'],
]);

/** Creates rows that differ little from one of them, which is `sample`. */
export class AlikeRows {
  private readonly shared: Partial<EmailRow>;
  private readonly campaignId: string;
  private readonly isDelivered: boolean;

  constructor(email: Email, set: Partial<Email> & HeldEvents) {
    const row = toRow(email, set);
    this.shared = Object.fromEntries(Object.entries(row).filter(([name]) => !OWN.has(name)));
    this.campaignId = email.campaignId ?? '';
    this.isDelivered = row.deliveredAt !== undefined;
  }

  row({ _id, to, contactId, at, ...own }: OwnMembers, answer: AnswerMembers): EmailRow {
    const recipient = { to, contactId };
    const whose = isNamedByContact(_id, this.campaignId, contactId) ? { recipient } : recipient;
    return { _id, ...this.shared, ...whose, ...own, sentAt: at, ...(this.isDelivered && { deliveredAt: at }), ...answer } as EmailRow;
  }
}

/** Writes messages as they are after their attempt. Resolves to the positions of those that already exist. */
export const insertWrittenRows = (rows: readonly WrittenRow[]): Promise<readonly number[]> =>
  insertRows(EmailModel, rows as readonly Email[]);

export type WrittenRow = EmailRow & HeldEvents;

/** Finds existing rows of messages by their ids, without contents. */
export const findWritten = (projectId: string, ids: readonly string[]): Promise<WrittenRow[]> =>
  EmailModel.collection
    .find<WrittenRow>(
      { _id: { $in: [...ids] }, projectId },
      { projection: { inline: 0, values: 0 }, hint: '_id_', ...inOneAnswer(ids.length) },
    )
    .toArray();
