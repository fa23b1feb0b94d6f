import type { ClientSession } from 'mongoose';
import { untilDone } from '../../platform/async';
import { Batcher } from '../../platform/batch';
import { refundCampaign } from '../../records/billing';
import { PROVIDER_REFUSES, countUnbegun, setHeldReason } from '../campaigns';
import { beginClaim, endClaim, endClaims } from '../../records/emails';
import type { Listening } from '../../records/events';
import { inTransaction, perDatabase } from '../../platform/mongo';
import { contentIdOf, endOfLost, oneOfAlike } from './claim-slices';
import type { ClaimedSlice, SliceEnd, SlicesOf } from './claim-slices';
import { CAMPAIGN_TYPE, contentsOf, outgoingOf } from './mail';
import type { CampaignContents, Outgoing } from './mail';
import { SliceMails } from './slice-mail';
import { deliverClaimed } from '../../sending/deliver';
import type { PageTools } from '../../sending/deliver';

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
