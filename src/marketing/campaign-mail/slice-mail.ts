import type { CampaignHappening } from '../../records/campaign-figures';
import type { Core } from '../../platform/core';
import type { Attempt, Email, EmailRow, Outcome } from '../../records/emails';
import { TemplateRenderError } from '../../message/template';
import type { Written } from '../../message/template';
import { isSimulated } from '../../rules/simulator';
import { campaignHappenings, envelopeOf, finalFailure } from '../../sending/deliver';
import type { Answered, ClaimedMail, Lane, OwnedMail } from '../../sending/deliver';
import { kitFor } from './alike';
import type { AlikeKit, AlikeMessage, Answer, Composed } from './alike';
import { campaignEmail, messageFor } from './mail';
import type { Addressed, CampaignContents, Outgoing } from './mail';

/** The parts that the messages of a slice share. */
interface SliceParts {
  readonly outgoing: Outgoing;
  readonly attempt: Attempt;
  readonly charge: Email['charge'];
  readonly mail: readonly Addressed[];
  readonly contentsAt: (index: number) => CampaignContents;
  /** The transport of each message, where there are several. */
  readonly transports?: readonly string[];
}

interface Accepted extends Answer {
  readonly lane: Lane;
}

/** A recipient's message on its way: it is made, composed and signed, put on the wire, and answered. */
interface SliceMail extends OwnedMail, Composed {
  /** Its index in the slice. */
  readonly index: number;
  readonly own: AlikeMessage;
  /** Null until it is accepted. */
  answer: Accepted | null;
}

/** The messages of a slice: made one after another as lanes ask for them, and their outcomes. */
export class SliceMails implements ClaimedMail<SliceMail> {
  /** Accepted messages, whose rows differ little. */
  readonly sent: SliceMail[] = [];
  /** The outcomes of all others. */
  readonly finished: Outcome[] = [];
  private readonly kit: AlikeKit | null;
  private next = 0;

  constructor(
    private readonly core: Core,
    private readonly parts: SliceParts,
  ) {
    const { dkim } = parts.outgoing;
    this.kit = dkim && kitFor(parts.mail.length, core, dkim, this.emailOf);
  }

  get projectId(): string {
    return this.parts.outgoing.campaign.projectId;
  }

  get left(): number {
    return this.parts.mail.length - this.next;
  }

  get leftTo(): readonly string[] {
    return this.parts.mail.slice(this.next).map(({ recipient }) => recipient.email);
  }

  take(lane: Lane): SliceMail | undefined {
    while (this.left > 0) {
      const mail = this.make(lane, this.next++);
      if (mail !== null) return mail;
    }
    return undefined;
  }

  done(lane: Lane, mail: SliceMail, outcome: Answered): void {
    if (outcome.accepted) {
      mail.answer = { lane, reply: outcome.reply, at: Date.now(), over: outcome.over };
      this.sent.push(mail);
    } else this.finished.push(lane.outcomeOf(this.emailOf(mail.own), outcome, new Date()));
  }

  /** Returns the message as the ledger has it. */
  private readonly emailOf = (message: AlikeMessage): Email => {
    const { outgoing, charge, attempt } = this.parts;
    return campaignEmail(outgoing, message, charge, attempt);
  };

  get to(): readonly string[] {
    return this.sent.map(({ envelope }) => envelope.to);
  }

  outcomeAt(at: number): Outcome {
    return this.outcomeOf(this.sent[at] as SliceMail);
  }

  private outcomeOf(mail: SliceMail): Outcome {
    const { lane, reply, at, over } = mail.answer as Accepted;
    return lane.outcomeOf(this.emailOf(mail.own), { accepted: true, reply, ...(over !== undefined && { over }) }, new Date(at));
  }

  /** Returns the rows of accepted messages, which hold their events. */
  rows(): readonly EmailRow[] {
    // In the order of their recipients, which is that of their ids: rows that are inserted together are then near each other in the indexes.
    this.sent.sort((left, right) => left.index - right.index);
    return this.sent.map((mail) => (this.kit as AlikeKit).row(mail.own, mail.answer as Accepted, () => this.outcomeOf(mail)));
  }

  /** Lists what accepted messages add to the campaign's counters, summed by content, without `lost` ones. */
  happenings(lost: ReadonlySet<string>): readonly CampaignHappening[] {
    const byContent = new Map<string, { readonly happening: CampaignHappening; times: number }>();
    for (const mail of this.sent) {
      if (lost.has(mail.id)) continue;
      const known = byContent.get(mail.own.contentId);
      if (known) known.times++;
      else for (const happening of campaignHappenings(this.outcomeOf(mail))) byContent.set(mail.own.contentId, { happening, times: 1 });
    }
    return [...byContent.values()].map(({ happening, times }) => ({ ...happening, times }));
  }

  /** Returns the message at an index, signed meanwhile; null if it goes nowhere. */
  private make(lane: Lane, index: number): SliceMail | null {
    const { core, kit } = this;
    const { outgoing, attempt, mail, contentsAt } = this.parts;
    const { campaign, hosts } = outgoing;
    const { message, rendered } = messageFor(core, outgoing, mail[index] as Addressed, contentsAt(index), attempt.at);
    const { emailId, email: to } = message.addressed.recipient;
    const meetsNone = campaign.testMode || isSimulated(to, core.config.PLATFORM_DOMAIN);
    if (kit === null || meetsNone || rendered instanceof TemplateRenderError) {
      this.leaveOut(lane, this.emailOf(message), rendered);
      return null;
    }
    const envelope = envelopeOf(core, { _id: emailId, to, projectId: campaign.projectId, bounceDomain: hosts.bounceDomain });
    const over = this.parts.transports?.[index];
    const owned = over === undefined ? envelope : { ...envelope, over };
    return Object.assign(kit.compose(message, rendered), { index, id: emailId, own: message, envelope: owned, answer: null });
  }

  private leaveOut(lane: Lane, email: Email, rendered: Written | TemplateRenderError): void {
    const outcome = lane.nowhere(email, this.kit !== null, new Date());
    this.finished.push(outcome ?? finalFailure(email, (rendered as TemplateRenderError).message, email.createdAt));
  }
}
