import { dkimSignature } from '../../../message/dkim';
import type { DkimKey } from '../../../message/dkim';
import { MailBytes, renderFields } from '../../../message/mime';
import type { HeaderField } from '../../../message/mime';
import type { Written } from '../../../message/template';
import type { Core } from '../../../platform/core';
import type { EmailRow, Outcome } from '../../../records/emails';
import { listUnsubscribe, mailScratch, outgoingMail } from '../../../sending/deliver';
import { AlikeMail } from './alike-mail';
import type { OwnMail } from './alike-mail';
import { AlikeRows } from './alike-rows';
import type { AlikeKit, AlikeMessage, Answer, Composed, EmailOf } from './kit';

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
