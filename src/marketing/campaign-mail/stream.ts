import type { CampaignHappening } from '../../records/campaign-figures';
import type { Core } from '../../platform/core';
import type { AnswerMembers, Attempt, Email, EmailRow } from '../../records/emails';
import { AlikeRows, holding, messageIdOf } from '../../records/emails';
import { dkimSignature } from '../../message/dkim';
import type { DkimKey } from '../../message/dkim';
import type { AlikeMail, MailScratch, OwnMail } from '../../message/mime';
import { MailBytes, composePlainMail, renderFields } from '../../message/mime';
import type { FedMail, SmtpOutcome } from '@lettermill/smtp';
import { TemplateRenderError } from '../../message/template';
import type { Written } from '../../message/template';
import { isSimulated } from '../../rules/simulator';
import type { Addressed, CampaignContents, CampaignMessage, Outgoing } from './mail';
import { renderedFor, valuesOf } from './mail';
import { alikeMail, campaignHappenings, envelopeOf, mailScratch, outgoingMail, ownHeaders, providerMessageId } from '../../sending/deliver';
import type { Lane, OwnedEnvelope } from '../../sending/deliver';

/** The parts from which a stream composes its messages. */
export interface SliceParts {
  readonly outgoing: Outgoing;
  readonly dkim: DkimKey;
  readonly attempt: Attempt;
  readonly mail: readonly Addressed[];
  readonly contentsAt: (at: number) => CampaignContents;
  /** Composes a message with its whole row, for messages that a stream cannot handle. */
  readonly make: (at: number) => CampaignMessage;
}

/** A message that was accepted. */
export interface Sent {
  readonly mail: SliceMail;
  readonly lane: Lane;
  readonly reply: Extract<SmtpOutcome, { accepted: true }>['reply'];
  /** When it was accepted, in milliseconds. */
  readonly at: number;
}

interface Signed {
  /** The DKIM-Signature field; null as long as there is none. */
  field: string | null;
  /** The bytes that follow it, until they are written. */
  bytes: Buffer | null;
}

/**
 * A message of a slice. Rendered and encoded at once, so that the thread pool signs it while the server answers to the message before. Its text is dropped
 * then, as a slice stays in memory until it is recorded.
 */
export class SliceMail implements FedMail {
  readonly envelope: OwnedEnvelope;
  readonly subject: string;
  ready: Promise<void> | null = null;
  private readonly signed: Signed;

  constructor(
    private readonly slice: SliceStream,
    /** Its place in the slice. */
    readonly place: number,
    readonly addressed: Addressed,
    /** JSON text of the values that it reads of its recipient. */
    readonly values: string,
    rendered: Written,
  ) {
    const { core, sample } = slice;
    const { emailId: _id, email: to } = addressed.recipient;
    // All signed parts of a message are made together, as they derive from one signature.
    this.envelope = envelopeOf(core, { _id, to, projectId: sample.projectId, bounceDomain: sample.bounceDomain });
    this.subject = rendered.subject;
    const { html, text } = rendered;
    this.signed = this.sign({ to, headers: ownHeaders(core, { _id, trackingHost: sample.trackingHost }), html, text });
  }

  get id(): string {
    return this.addressed.recipient.emailId;
  }

  get messageId(): string {
    return messageIdOf(this.id, this.slice.sample.fromEmail);
  }

  message(): string {
    const { signed } = this;
    signed.bytes = null;
    if (signed.field === null) throw new Error('The message could not be signed');
    return signed.field + this.slice.whole(this.place);
  }

  /** Composes the message, and has it signed meanwhile. */
  private sign({ to, headers, html, text }: Pick<OwnMail, 'to' | 'headers' | 'html' | 'text'>): Signed {
    const { slice, subject, messageId } = this;
    const own: OwnMail = { to, subject, messageId, headers, html, text };
    const out = new MailBytes(slice.scratch);
    const contentAt = slice.alike.write(own, out);
    const signed: Signed = { field: null, bytes: Buffer.from(out.view(0)) };
    this.ready = dkimSignature(slice.parts.dkim, slice.alike.fieldsOf(own), out.view(contentAt), slice.sample.createdAt)
      .then((field) => void (signed.field = renderFields([field])))
      .catch((error: unknown) => slice.core.log.error({ err: error, emailId: this.id }, 'A message could not be signed'))
      .finally(() => void (this.ready = null));
    return signed;
  }

  /** Returns where the message ends; -1 where it does not fit, was not signed, or has been written already. */
  writeTo(room: Buffer, at: number): number {
    const { field, bytes } = this.signed;
    if (field === null || bytes === null || at + field.length + bytes.length > room.length) return -1;
    const from = at + room.write(field, at, 'latin1');
    this.signed.bytes = null;
    return from + bytes.copy(room, from);
  }
}

/** The messages of a slice that can go in streams: live mail to real recipients. */
export class SliceStream {
  readonly sent: Sent[] = [];
  readonly alike: AlikeMail;
  readonly scratch: MailScratch;
  /** One of the messages, with everything that all share. */
  readonly sample: Email;

  constructor(
    readonly core: Core,
    readonly parts: SliceParts,
  ) {
    this.sample = parts.make(0).email;
    this.alike = alikeMail(core, this.sample);
    this.scratch = mailScratch(core);
  }

  /** Composes the message at a position as if it were sent separately. */
  whole(place: number): string {
    const { email, rendered } = this.parts.make(place);
    if (rendered instanceof TemplateRenderError) throw rendered;
    return composePlainMail(outgoingMail(this.core, email, rendered), this.scratch);
  }

  /** Returns the message at a position; null if a stream cannot send it. */
  mailAt(place: number): SliceMail | null {
    const addressed = this.parts.mail[place] as Addressed;
    if (isSimulated(addressed.recipient.email, this.core.config.PLATFORM_DOMAIN)) return null;
    const { content } = this.parts.contentsAt(place);
    const values = valuesOf(content, addressed.recipient.email, addressed.contact);
    const rendered = renderedFor(this.core, this.parts.outgoing, addressed.recipient.emailId, this.parts.attempt.at, content, values);
    if (rendered instanceof TemplateRenderError) return null;
    const mail = new SliceMail(this, place, addressed, JSON.stringify(values), rendered);
    return mail;
  }

  /** Returns the rows of sent messages, which hold their events. */
  rows(): readonly EmailRow[] {
    // In the order of their recipients, which is that of their ids: rows that are inserted together are then near each other in the indexes.
    this.sent.sort((left, right) => left.mail.place - right.mail.place);
    const alike = new Map<string, AlikeRows>();
    const answers = new Map<string, AnswerMembers>();
    return this.sent.map((sent) => {
      const { mail, reply, at } = sent;
      const { contentId } = this.parts.contentsAt(mail.place);
      const rows = alike.get(contentId) ?? this.alikeRows(sent);
      alike.set(contentId, rows);
      const response = `${reply.code} ${reply.text}`;
      const answer = answers.get(response) ?? { response, providerMessageId: providerMessageId(response) ?? undefined };
      answers.set(response, answer);
      const { recipient, contact } = mail.addressed;
      const { subject, values, messageId } = mail;
      return rows.row(
        { _id: recipient.emailId, to: recipient.email, contactId: contact._id, subject, values, messageId, at: new Date(at) },
        answer,
      );
    });
  }

  /** Lists what sent messages add to the campaign's counters, summed by content. */
  happenings(sent: readonly Sent[]): readonly CampaignHappening[] {
    const byContent = new Map<string, { readonly happening: CampaignHappening; times: number }>();
    for (const one of sent) {
      const { contentId } = this.parts.contentsAt(one.mail.place);
      const known = byContent.get(contentId);
      if (known) known.times++;
      else for (const happening of this.happeningsOf(one)) byContent.set(contentId, { happening, times: 1 });
    }
    return [...byContent.values()].map(({ happening, times }) => ({ ...happening, times }));
  }

  private happeningsOf({ mail, lane, reply, at }: Sent): readonly CampaignHappening[] {
    const { email } = this.parts.make(mail.place);
    return campaignHappenings(lane.judge(email, { accepted: true, reply }, new Date(at)));
  }

  private alikeRows({ mail, lane, reply, at }: Sent): AlikeRows {
    const outcome = lane.judge(this.parts.make(mail.place).email, { accepted: true, reply }, new Date(at));
    const { email, set } = outcome;
    return new AlikeRows(email, { ...set, ...holding(outcome, email.createdAt) });
  }
}
