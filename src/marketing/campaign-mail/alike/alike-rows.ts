import { holding, toRow } from '../../../records/emails';
import type { EmailRow, Outcome } from '../../../records/emails';
import { isNamedByContact } from '../../../rules/campaign-mail-ids';
import { providerMessageId } from '../../../sending/deliver';
import type { AlikeMessage, Answer } from './kit';

/** Members that a server's answer sets in the rows of accepted messages. */
interface AnswerMembers {
  readonly response: string;
  readonly providerMessageId: string | undefined;
}

/** Members of a row that are made for each message. */
const OWN: ReadonlySet<string> = new Set([
  ...['_id', 'recipient', 'to', 'contactId', 'subject', 'values', 'messageId'],
  ...['sentAt', 'deliveredAt', 'providerMessageId', 'response'],
]);

const NOTHING = {};

/** Creates rows of accepted messages of one attempt and content, which differ little from the first one. */
export class AlikeRows {
  private readonly shared: Partial<EmailRow>;
  private readonly campaignId: string;
  private readonly isDelivered: boolean;
  private readonly answers = new Map<string, AnswerMembers>();

  constructor(first: Outcome) {
    const { email, set } = first;
    const row = toRow(email, { ...set, ...holding(first, email.createdAt) });
    this.shared = Object.fromEntries(Object.entries(row).filter(([name]) => !OWN.has(name)));
    this.campaignId = email.campaignId ?? '';
    this.isDelivered = row.deliveredAt !== undefined;
  }

  row({ addressed, subject, values, messageId }: AlikeMessage, { reply, at }: Answer): EmailRow {
    const { emailId: _id, email: to } = addressed.recipient;
    const { _id: contactId } = addressed.contact;
    const recipient = { to, contactId };
    const whose = isNamedByContact(_id, this.campaignId, contactId) ? { recipient } : recipient;
    const sentAt = new Date(at);
    const delivered = this.isDelivered ? { deliveredAt: sentAt } : NOTHING;
    const answer = this.membersOf(`${reply.code} ${reply.text}`);
    return { _id, ...this.shared, ...whose, subject, values, messageId, sentAt, ...delivered, ...answer } as EmailRow;
  }

  private membersOf(response: string): AnswerMembers {
    const known = this.answers.get(response);
    if (known) return known;
    const made = { response, providerMessageId: providerMessageId(response) ?? undefined };
    this.answers.set(response, made);
    return made;
  }
}
