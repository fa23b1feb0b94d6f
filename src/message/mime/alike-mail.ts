import { mailboxField, renderFields, textField } from './headers';
import type { HeaderField } from './headers';
import type { MailBytes } from './mail-bytes';
import { boundaryFor, textBody } from './mime-text';
import type { TextualMail } from './mime-text';
import type { PlainMail } from './mime';

/** The parts that many messages share. */
export type SharedMail = Pick<PlainMail, 'from' | 'replyTo' | 'date'> & {
  /** Further fields in their order; null for a field whose value each message has for itself. */
  readonly headers: readonly (readonly [string, string | null])[];
};

/** The parts that each message has for itself. */
export interface OwnMail extends TextualMail {
  readonly to: string;
  readonly subject: string;
  readonly messageId: string;
  /** The values of its own fields, in their order. */
  readonly headers: readonly string[];
}

/** Fields that are the same in all messages, or the name of one that differs. */
type Block = { readonly fixed: string } | { readonly own: string };

/** Composes messages that differ little, byte for byte as `composePlainMail` would, but composes the shared parts once. */
export class AlikeMail {
  private readonly from: string;
  private readonly replyTo: string;
  private readonly blocks: readonly Block[];

  constructor({ from, replyTo, date, headers }: SharedMail) {
    this.from = renderFields([mailboxField('From', from)]);
    this.replyTo = replyTo === null ? '' : renderFields([mailboxField('Reply-To', { address: replyTo, name: null })]);
    this.blocks = blocksOf([
      { name: 'Date', value: date.toUTCString().replace('GMT', '+0000') },
      ...headers.map(([name, value]) => (value === null ? name : textField(name, value))),
      { name: 'MIME-Version', value: '1.0' },
    ]);
  }

  write({ to, subject, messageId, headers, html, text }: OwnMail, out: MailBytes): void {
    const body = textBody({ html, text }, boundaryFor(messageId));
    out.text(this.from);
    out.text(renderFields([mailboxField('To', { address: to, name: null })]) + this.replyTo);
    out.text(renderFields([textField('Subject', subject), { name: 'Message-ID', value: messageId.replace(/[^\x21-\x7e]/g, '') }]));
    let next = 0;
    for (const block of this.blocks) {
      if ('fixed' in block) out.text(block.fixed);
      else out.text(renderFields([textField(block.own, headers[next++] ?? '')]));
    }
    out.text(`${renderFields(body.fields)}\r\n`);
    body.write(out);
  }
}

function blocksOf(fields: readonly (HeaderField | string)[]): readonly Block[] {
  const blocks: Block[] = [];
  let fixed = '';
  for (const field of fields) {
    if (typeof field !== 'string') {
      fixed += renderFields([field]);
      continue;
    }
    blocks.push({ fixed }, { own: field });
    fixed = '';
  }
  return [...blocks, { fixed }];
}
