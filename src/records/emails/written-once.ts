import { inOneAnswer, insertRows } from '../../platform/mongo';
import { isNamedByContact } from '../../rules/campaign-mail-ids';
import { EmailModel } from './model';
import type { HeldEvents } from './held-events';
import type { Email } from './model';
import { toRow } from './row';
import type { EmailRow } from './row';

/** A message whose row is written when its outcome is known. */
export interface NewRow {
  readonly email: Email;
  /** The outcome, which replaces members of the message. */
  readonly set: Partial<Email>;
  /** Null where its events are rows of their own. */
  readonly held: HeldEvents | null;
}

/** Writes messages in the state after their attempt. Resolves to the positions of those that exist already. */
export const insertWritten = (rows: readonly NewRow[]): Promise<readonly number[]> =>
  insertRows(EmailModel, rows.map(({ email, set, held }) => Object.assign(toRow(email, set), held)) as Email[]);

/** Members that differ between rows of messages of one attempt and content, all of them accepted. */
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
  ...['sentAt', 'deliveredAt', 'providerMessageId'],
]);

/** Creates rows that differ little from one of them, which is `sample`. */
export class AlikeRows {
  private readonly shared: Partial<EmailRow>;
  private readonly campaignId: string;
  private readonly isDelivered: boolean;

  constructor({ email, set, held }: NewRow) {
    const row = toRow(email, set);
    const shared = Object.fromEntries(Object.entries(row).filter(([name]) => !OWN.has(name)));
    this.shared = { ...shared, grouped: held?.grouped } as Partial<EmailRow>;
    this.campaignId = email.campaignId ?? '';
    this.isDelivered = row.deliveredAt !== undefined;
  }

  row({ _id, to, contactId, at, ...own }: OwnMembers, answer: AnswerMembers): EmailRow {
    const recipient = { to, contactId };
    const whose = isNamedByContact(_id, this.campaignId, contactId) ? { recipient } : recipient;
    return { _id, ...this.shared, ...whose, ...own, sentAt: at, ...(this.isDelivered && { deliveredAt: at }), ...answer } as EmailRow;
  }
}

/** The same as `insertWritten` of rows that are made. */
export const insertWrittenRows = (rows: readonly EmailRow[]): Promise<readonly number[]> =>
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
