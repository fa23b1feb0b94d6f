import { dkimSignature } from '../../../message/dkim';
import type { DkimKey } from '../../../message/dkim';
import { MailBytes, renderFields, boundaryFor, mailboxField, textBody, textField } from '../../../message/mime';
import type { HeaderField, OutgoingMail } from '../../../message/mime';
import type { Written } from '../../../message/template';
import type { Core } from '../../../platform/core';
import type { EmailRow, Outcome } from '../../../records/emails';
import { listUnsubscribe, mailScratch, outgoingMail, providerMessageId } from '../../../sending/deliver';
import type { AlikeKit, AlikeMessage, Answer, Composed, EmailOf } from './kit';
import { holding, toRow } from '../../../records/emails';
import { isNamedByContact } from '../../../rules/campaign-mail-ids';

/** The parts that messages of a slice with one content share. */
interface Shared {
  readonly alike: AlikeMail;
  readonly trackingHost: string | undefined;
  readonly date: Date;
}

/** Composes what all messages share once. The thread pool signs a message while the server answers to the one before it. */
export class FastKit implements AlikeKit {
  /** Kept by content: messages in another language have other headers. */
  private readonly shared = new Map<string, Shared>();
  private readonly rows = new Map<string, AlikeRows>();

  constructor(
    private readonly core: Core,
    private readonly dkim: DkimKey,
    private readonly emailOf: EmailOf,
  ) {}

  compose(message: AlikeMessage, rendered: Written): Composed {
    const { core, dkim } = this;
    const { contentId, subject, messageId, addressed } = message;
    const known = this.shared.get(contentId);
    const shared = known ?? this.sharedOf(message, rendered);
    if (!known) this.shared.set(contentId, shared);
    const { alike, trackingHost, date } = shared;
    const { emailId: _id, email: to } = addressed.recipient;
    const [, unsubscribe] = listUnsubscribe(core, { _id, trackingHost });
    const own: OwnMail = { to, subject, messageId, headers: [unsubscribe], html: rendered.html, text: rendered.text };
    const out = new MailBytes(mailScratch(core));
    const contentAt = alike.write(own, out);
    const bytes = Buffer.from(out.view(0));
    const signature = dkimSignature(dkim, alike.fieldsOf(own), out.view(contentAt), date);
    return new SignedMail(bytes, signature, (err) => core.log.error({ err, emailId: _id }, 'A message could not be signed'));
  }

  row(message: AlikeMessage, answer: Answer, outcomeOf: () => Outcome): EmailRow {
    const key = answer.over === undefined ? message.contentId : `${message.contentId} ${answer.over}`;
    const known = this.rows.get(key);
    const rows = known ?? new AlikeRows(outcomeOf());
    if (!known) this.rows.set(key, rows);
    return rows.row(message, answer);
  }

  private sharedOf(message: AlikeMessage, rendered: Written): Shared {
    const email = this.emailOf(message);
    const { from, replyTo, date, headers } = outgoingMail(this.core, email, rendered);
    const [unsubscribe] = listUnsubscribe(this.core, email);
    const shared = headers.map(([name, value]) => [name, name === unsubscribe ? null : value] as const);
    return { alike: new AlikeMail({ from, replyTo, date, headers: shared }), trackingHost: email.trackingHost, date };
  }
}

/** A message and its signature, which is made meanwhile. Its bytes are dropped once they are written, as a slice stays in memory until it is recorded. */
class SignedMail implements Composed {
  ready: Promise<void> | null;
  private field: string | null = null;

  constructor(
    private bytes: Buffer | null,
    signature: Promise<HeaderField>,
    failed: (error: unknown) => void,
  ) {
    this.ready = signature
      .then((field) => void (this.field = renderFields([field])))
      .catch(failed)
      .finally(() => void (this.ready = null));
  }

  message(): string {
    if (this.field === null || this.bytes === null) throw new Error('The message could not be signed');
    return this.field + this.bytes.toString('latin1');
  }

  writeTo(room: Buffer, at: number): number {
    const { field, bytes } = this;
    if (field === null || bytes === null || at + field.length + bytes.length > room.length) return -1;
    const from = at + room.write(field, at, 'latin1');
    this.bytes = null;
    return from + bytes.copy(room, from);
  }
}

/** The parts that many messages share. */
type SharedMail = Pick<OutgoingMail, 'from' | 'replyTo' | 'date'> & {
  /** Further fields in their order; null for a field whose value each message has for itself. */
  readonly headers: readonly (readonly [string, string | null])[];
};

/** The parts that each message has for itself. */
interface OwnMail extends Pick<OutgoingMail, 'html' | 'text'> {
  readonly to: string;
  readonly subject: string;
  readonly messageId: string;
  /** The values of its own fields, in their order. */
  readonly headers: readonly string[];
}

/** Fields that are the same in all messages, or the name of one that differs. */
type Part = HeaderField | string;

/** Fields next to each other that are the same in all messages, or the name of one that differs. */
type Block = { readonly fixed: string } | { readonly own: string };

/** Composes messages that differ little, byte for byte as `composeMail` would, but composes the shared parts once. */
class AlikeMail {
  private readonly from: HeaderField;
  private readonly replyTo: readonly HeaderField[];
  private readonly parts: readonly Part[];
  private readonly blocks: readonly Block[];
  private readonly texts: { readonly from: string; readonly replyTo: string };

  constructor({ from, replyTo, date, headers }: SharedMail) {
    this.from = mailboxField('From', from);
    this.replyTo = replyTo === null ? [] : [mailboxField('Reply-To', { address: replyTo, name: null })];
    this.parts = [
      { name: 'Date', value: date.toUTCString().replace('GMT', '+0000') },
      ...headers.map(([name, value]) => (value === null ? name : textField(name, value))),
      { name: 'MIME-Version', value: '1.0' },
    ];
    this.blocks = blocksOf(this.parts);
    this.texts = { from: renderFields([this.from]), replyTo: renderFields(this.replyTo) };
  }

  /** Writes a message. Returns where its content begins. */
  write(own: OwnMail, out: MailBytes): number {
    const body = textBody(own, boundaryFor(own.messageId));
    out.text(this.texts.from);
    out.text(renderFields([toField(own)]) + this.texts.replyTo);
    out.text(renderFields(titleFields(own)));
    let next = 0;
    for (const block of this.blocks) {
      if ('fixed' in block) out.text(block.fixed);
      else out.text(renderFields([textField(block.own, own.headers[next++] ?? '')]));
    }
    out.text(`${renderFields(body.fields)}\r\n`);
    const contentAt = out.length;
    body.write(out);
    return contentAt;
  }

  /** Lists the header fields that `write` writes, in their order. */
  fieldsOf(own: OwnMail): readonly HeaderField[] {
    let next = 0;
    const parts = this.parts.map((part) => (typeof part === 'string' ? textField(part, own.headers[next++] ?? '') : part));
    return [this.from, toField(own), ...this.replyTo, ...titleFields(own), ...parts, ...textBody(own, boundaryFor(own.messageId)).fields];
  }
}

const toField = ({ to }: OwnMail): HeaderField => mailboxField('To', { address: to, name: null });

const titleFields = ({ subject, messageId }: OwnMail): readonly HeaderField[] => [
  textField('Subject', subject),
  { name: 'Message-ID', value: messageId.replace(/[^\x21-\x7e]/g, '') },
];

function blocksOf(parts: readonly Part[]): readonly Block[] {
  const blocks: Block[] = [];
  let fixed = '';
  for (const part of parts) {
    if (typeof part !== 'string') {
      fixed += renderFields([part]);
      continue;
    }
    blocks.push({ fixed }, { own: part });
    fixed = '';
  }
  return [...blocks, { fixed }];
}

/** Members that a server's answer sets in the rows of accepted messages. */
interface AnswerMembers {
  readonly response: string;
  readonly providerMessageId: string | undefined;
}

/** Members of a row that are made for each message. */
const OWN: ReadonlySet<string> = new Set([
  '_id',
  'recipient',
  'to',
  'contactId',
  'subject',
  'values',
  'messageId',
  'sentAt',
  'deliveredAt',
  'providerMessageId',
  'response',
]);

const NOTHING = {};

/** Creates rows of accepted messages of one attempt and content, which differ little from the first one. */
class AlikeRows {
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
