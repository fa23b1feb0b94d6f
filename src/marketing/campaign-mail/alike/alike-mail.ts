import { boundaryFor, mailboxField, renderFields, textBody, textField } from '../../../message/mime';
import type { HeaderField, MailBytes, OutgoingMail } from '../../../message/mime';

/** The parts that many messages share. */
export type SharedMail = Pick<OutgoingMail, 'from' | 'replyTo' | 'date'> & {
  /** Further fields in their order; null for a field whose value each message has for itself. */
  readonly headers: readonly (readonly [string, string | null])[];
};

/** The parts that each message has for itself. */
export interface OwnMail extends Pick<OutgoingMail, 'html' | 'text'> {
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
export class AlikeMail {
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
