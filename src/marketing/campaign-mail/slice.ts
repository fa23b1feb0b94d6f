import type { ClientSession } from 'mongoose';
import { untilDone } from '../../platform/async';
import { Batcher } from '../../platform/batch';
import { refundCampaign } from '../../records/billing';
import { PROVIDER_REFUSES, countUnbegun, setHeldReason } from '../campaigns';
import { beginClaim, endClaim, endClaims } from '../../records/emails';
import type { Attempt, Email, EmailRow, Outcome } from '../../records/emails';
import type { Listening } from '../../records/events';
import { inTransaction, perDatabase } from '../../platform/mongo';
import { contentIdOf, endOfLost, oneOfAlike } from './claim-slices';
import type { ClaimedSlice, SliceEnd, SlicesOf } from './claim-slices';
import { CAMPAIGN_TYPE, contentsOf, outgoingOf, campaignEmail, messageFor } from './mail';
import type { CampaignContents, Outgoing, Addressed } from './mail';
import { deliverClaimed, campaignHappenings, envelopeOf, finalFailure } from '../../sending/deliver';
import type { PageTools, Answered, ClaimedMail, Lane, OwnedMail } from '../../sending/deliver';
import type { CampaignHappening } from '../../records/campaign-figures';
import type { Core } from '../../platform/core';
import { TemplateRenderError } from '../../message/template';
import type { Written } from '../../message/template';
import { isSimulated } from '../../rules/simulator';
import { kitFor } from './alike';
import type { AlikeKit, AlikeMessage, Answer, Composed } from './alike';

interface SliceCalls {
  /** Asks what the project listens to. */
  readonly listening: () => Promise<Listening>;
  /** Called when its messages have their rows: a lost worker leaves them in no doubt from then on. */
  readonly recorded: () => void;
}

interface SliceResult {
  readonly sent: number;
  readonly ends: SliceEnd | null;
}

/** A slice that is under way, by what is still to come. */
export interface SentSlice {
  /** When its messages have their rows. */
  readonly result: Promise<SliceResult>;
  /** When its claim has ended too. */
  readonly ended: Promise<void>;
}

/**
 * Sends a slice of a page that is claimed: begins its claim, puts its messages on the wire, and then writes their rows, once.
 *
 * | killed                              | found                                         | happens                                                                  |
 * |-------------------------------------|-----------------------------------------------|--------------------------------------------------------------------------|
 * | before the claim                    | recipients without a message                  | the page is taken after the lease; another attempt finds them             |
 * | claimed (charged), not begun        | a claim that has not begun                    | the same; the claim is given up with its credits when the page is taken  |
 * | begun, dot not sent                 | a claim that has begun, worker's lease ends   | taken over after the lease: rows in the queue, sent by the pump          |
 * | past the final dot                  | the same                                      | in doubt: the same, with the same Message-ID                             |
 * | some or all rows written            | the claim, and rows of its attempt            | written rows stay, and their missing events are stored; others as above     |
 * | events, counters written            | the claim, and all that follows from it       | the same; nothing happens twice                                          |
 * | claim ended                         | only rows                                     | the page finds the messages and leaves the recipients alone              |
 * | cancelled, or page taken, before    | no page, or one of another attempt            | the claim fails with its charge: of two that change the page at once, one is refused |
 * | the same, before it begins          | no claim                                      | nothing of it begins: of two that change the claim at once, one is refused |
 */
export function sendSlice(tools: PageTools, of: SlicesOf, claimed: ClaimedSlice, calls: SliceCalls): SentSlice {
  const slice = new CampaignSlice(tools, of, claimed, calls);
  const result = slice.send();
  const ended = tools.engine.during(claimed.attempt.id, () => result.then(() => slice.end()));
  // A failure is that of the result too, and is met there first.
  ended.catch(() => undefined);
  return { result, ended };
}

/** A process records some thirty slices in a second. */
const endTogether = perDatabase(() => new Batcher(endClaims));

/** Shared by the messages of a slice. */
interface Common {
  readonly outgoing: Outgoing;
  /** In the order of the messages. */
  readonly contents: readonly CampaignContents[];
}

class CampaignSlice {
  private isRecorded = false;

  constructor(
    private readonly tools: PageTools,
    private readonly of: SlicesOf,
    private readonly claimed: ClaimedSlice,
    private readonly calls: SliceCalls,
  ) {}

  async send(): Promise<SliceResult> {
    const { tools, calls } = this;
    const { attempt, mail } = this.claimed;
    const { campaign } = this.of;
    const common = await this.common();
    const transports = await this.transports();
    if (!(await beginClaim({ _id: attempt.id, campaignId: campaign._id }, transports && oneOfAlike(transports))))
      return { sent: 0, ends: await endOfLost(campaign) };
    if (!tools.engine.ready) {
      await tools.engine.untilDone('A slice was not given back', () => this.giveBack());
      return { sent: 0, ends: 'stopped' };
    }
    if (campaign.heldReason && campaign.heldReason !== PROVIDER_REFUSES) await setHeldReason(campaign._id, null).catch(() => undefined);
    await deliverClaimed(tools.core, tools.engine, this.messages(common, transports), { attempt, ...calls });
    this.isRecorded = true;
    return { sent: mail.length, ends: null };
  }

  async end(): Promise<void> {
    const ended = [{ _id: this.claimed.attempt.id, campaignId: this.of.campaign._id }];
    if (this.isRecorded) await untilDone(this.tools.core, 'A claim was not ended', () => endTogether().addAll(ended));
  }

  /** Chooses the transport of each message; null where there is one. */
  private async transports(): Promise<readonly string[] | null> {
    const { routing } = this.tools.engine;
    const { campaign } = this.of;
    if (routing === null || campaign.testMode) return null;
    const { projectId, topic } = campaign;
    return routing.chooseFor(
      this.claimed.mail.map(({ recipient: { emailId: _id, email: to } }) => ({
        _id,
        to,
        projectId,
        type: CAMPAIGN_TYPE,
        topic: topic ?? undefined,
      })),
    );
  }

  /** Gives credits and the claim back when nothing was sent. */
  private async giveBack(): Promise<void> {
    const { attempt, mail, month } = this.claimed;
    const { page, campaign } = this.of;
    const giveUp = async (session: ClientSession): Promise<boolean> => {
      const isOurs = await endClaim({ _id: attempt.id, campaignId: campaign._id }, session);
      if (isOurs) await countUnbegun(page, mail.length, session);
      return isOurs;
    };
    if (month === null) await inTransaction(giveUp);
    else await refundCampaign(campaign.projectId, month, mail.length, giveUp);
  }

  /** Loads what the messages share, before they may go out. */
  private async common(): Promise<Common> {
    const { campaign, project } = this.of;
    const ids = this.claimed.mail.map((addressed) => contentIdOf(this.of, addressed));
    const [outgoing, ...contents] = await Promise.all([
      outgoingOf(this.tools.core, project, campaign),
      ...[...new Set(ids)].map(contentsOf),
    ]);
    const byId = new Map(contents.map((content) => [content.contentId, content]));
    return { outgoing, contents: ids.map((id) => byId.get(id) as CampaignContents) };
  }

  private messages({ outgoing, contents }: Common, transports: readonly string[] | null): SliceMails {
    const { attempt, mail, month } = this.claimed;
    const charge = month === null ? null : { month, credits: 1 };
    const contentsAt = (index: number): CampaignContents => contents[index] as CampaignContents;
    return new SliceMails(this.tools.core, { outgoing, attempt, charge, mail, contentsAt, ...(transports && { transports }) });
  }
}

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
class SliceMails implements ClaimedMail<SliceMail> {
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
