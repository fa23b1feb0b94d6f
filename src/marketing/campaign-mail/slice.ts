import type { ClientSession } from 'mongoose';
import { chargeCampaign, refundCampaign } from '../../records/billing';
import { confirmPage, countUnbegun, findCampaign, setHeldReason } from '../campaigns';
import type { Campaign, PageClaim, PageRecipient } from '../campaigns';
import type { ProjectFacts } from '../../platform/core';
import type { CampaignPageInput, Variant } from '../../contracts/campaign';
import { endClaim, insertClaim } from '../../records/emails';
import type { Attempt } from '../../records/emails';
import type { Listening } from '../../records/events';
import { newId } from '../../platform/core';
import { inSequence, inTransaction } from '../../platform/mongo';
import { takeUnits } from '../../sending/accept';
import { transmit } from './lanes';
import type { Messages } from './lanes';
import { campaignMessage, contentsOf, outgoingOf } from './mail';
import type { Addressed, CampaignContents, CampaignMessage, Outgoing } from './mail';
import { SliceStream } from './stream';
import { noteOutcomes, noteSlice } from '../../sending/deliver';
import type { PageTools } from '../../sending/deliver';
import { recordSlice } from './record-slice';
import { sliceEnds } from './slice-ends';
import type { RecordedSlice } from './slice-ends';

/** Shared by the slices of a page. */
export interface SliceOf {
  readonly input: CampaignPageInput;
  readonly page: PageClaim;
  readonly campaign: Campaign;
  readonly project: ProjectFacts;
  /** Asks what the project listens to. */
  readonly listening: () => Promise<Listening>;
  /** Called when its messages have their rows: a lost worker leaves them in no doubt from then on. */
  readonly recorded: () => void;
}

/** Why no more may follow: the campaign is not sending, this worker may put nothing on the wire or has lost the page, or the campaign is held for a reason. */
export type SliceEnd = 'over' | 'stopped' | { readonly held: string };

interface SliceResult {
  readonly sent: number;
  readonly ends: SliceEnd | null;
}

export interface SentSlice {
  /** When its messages have their rows. */
  readonly result: Promise<SliceResult>;
  /** When its claim has ended too. */
  readonly ended: Promise<void>;
}

/** The page was taken from this attempt, or its campaign was cancelled. */
class PageLost extends Error {}

/**
 * Sends a slice of a page: charges it and claims its messages by one document, puts them on the wire, and then writes their rows, once.
 *
 * | killed                              | found                                         | happens                                                                  |
 * |-------------------------------------|-----------------------------------------------|--------------------------------------------------------------------------|
 * | before the claim                    | recipients without a message                  | the page is taken after the lease; another attempt finds them             |
 * | claimed (charged), dot not sent     | a claim, worker's lease ends                  | taken over after the lease: rows in the queue, sent by the pump          |
 * | past the final dot                  | the same                                      | in doubt: the same, with the same Message-ID                             |
 * | some or all rows written            | the claim, and rows of its attempt            | written rows stay, and their missing events are stored; others as above     |
 * | events, counters written            | the claim, and all that follows from it       | the same; nothing happens twice                                          |
 * | claim ended                         | only rows                                     | the page finds the messages and leaves the recipients alone              |
 * | cancelled before the claim          | no page                                       | the claim fails with its charge: nothing begins after a cancel           |
 * | page taken before the claim         | a page of another attempt, or of none         | the same: of two that change the page at once, one is refused            |
 */
export function sendSlice(tools: PageTools, of: SliceOf, mail: readonly Addressed[]): SentSlice {
  const attempt: Attempt = { id: newId('att'), worker: tools.workerId, at: new Date() };
  const slice = new CampaignSlice(tools, of, attempt);
  const result = slice.send(mail);
  const ended = tools.engine.during(attempt.id, () => result.then(() => slice.end()));
  // A failure is that of the result too, and is met there first.
  ended.catch(() => undefined);
  return { result, ended };
}

interface Begun {
  readonly mail: readonly Addressed[];
  /** The month that was charged; null in test mode. */
  readonly month: string | null;
  readonly ends: SliceEnd | null;
}

/** Shared by the messages of a slice. */
interface Common {
  readonly outgoing: Outgoing;
  readonly contents: ReadonlyMap<Variant, CampaignContents>;
}

class CampaignSlice {
  private recorded: RecordedSlice | null = null;

  constructor(
    private readonly tools: PageTools,
    private readonly of: SliceOf,
    private readonly attempt: Attempt,
  ) {}

  async send(open: readonly Addressed[]): Promise<SliceResult> {
    const common = await this.common(open);
    const begun = await this.begin(open);
    if (begun.mail.length === 0) return { sent: 0, ends: begun.ends };
    if (!this.tools.engine.ready) {
      await this.tools.engine.untilDone('A slice was not given back', () => this.giveBack(begun));
      return { sent: 0, ends: 'stopped' };
    }
    const { campaign } = this.of;
    if (campaign.heldReason) await setHeldReason(campaign._id, null).catch(() => undefined);
    const messages = this.messages(common, begun);
    const finished = await transmit(this.tools, common.outgoing.dkim, messages, this.attempt);
    const sent = begun.mail.length;
    noteSlice(sent, this.attempt.at);
    noteOutcomes(finished);
    const { listening, recorded } = this.of;
    this.recorded = await recordSlice(this.tools, this.attempt, { finished, stream: messages.stream, listening, recorded });
    return { sent, ends: begun.ends };
  }

  async end(): Promise<void> {
    if (this.recorded) await sliceEnds(this.tools.core).end(this.recorded);
  }

  /** Takes credits and claims messages in the same transaction, as many as the limits allow. */
  private async begin(open: readonly Addressed[]): Promise<Begun> {
    try {
      return this.of.campaign.testMode ? await this.beginFree(open) : await this.beginCharged(open);
    } catch (error) {
      if (!(error instanceof PageLost)) throw error;
      const { _id, projectId } = this.of.campaign;
      const isSending = (await findCampaign(projectId, _id))?.status === 'sending';
      return { mail: [], month: null, ends: isSending ? 'stopped' : 'over' };
    }
  }

  private async beginFree(open: readonly Addressed[]): Promise<Begun> {
    await inSequence(this.of.page._id, () => inTransaction((session) => this.claim(session, open, null)));
    return { mail: open, month: null, ends: null };
  }

  private async beginCharged(open: readonly Addressed[]): Promise<Begun> {
    const { core } = this.tools;
    const { project } = this.of;
    const units = await takeUnits(core, project, open.length);
    if (units === 0) return { mail: [], month: null, ends: { held: 'reputation_throttled' } };
    let charged: string | null = null;
    const { granted, refused } = await chargeCampaign(core, project, units, (session, count, month) => {
      charged = month;
      return this.claim(session, open.slice(0, count), month);
    });
    const held = refused ?? 'reputation_throttled';
    return { mail: open.slice(0, granted), month: charged, ends: granted < open.length ? { held } : null };
  }

  /** Claims messages. Throws PageLost. */
  private async claim(session: ClientSession, mail: readonly Addressed[], month: string | null): Promise<void> {
    if (!(await confirmPage(this.of.page, mail.length, session))) throw new PageLost('The page is not ours any more');
    const { campaign } = this.of;
    const { id: _id, worker, at } = this.attempt;
    const claim = {
      ...{ _id, projectId: campaign.projectId, campaignId: campaign._id, testMode: campaign.testMode, worker, at, month, begun: true },
      emails: mail.map(({ recipient }) => recipient.emailId),
      contacts: mail.map(({ contact }) => contact._id),
      to: mail.map(({ recipient }) => recipient.email),
      contents: oneOfAlike(mail.map(({ recipient }) => contentIdOf(campaign, this.variantOf(recipient)))),
    };
    await insertClaim(claim, session);
  }

  /** Gives credits and the claim back when nothing was sent. */
  private async giveBack({ mail, month }: Begun): Promise<void> {
    const giveUp = async (session: ClientSession): Promise<boolean> => {
      const isOurs = await endClaim(this.attempt.id, session);
      if (isOurs) await countUnbegun(this.of.page, mail.length, session);
      return isOurs;
    };
    if (month === null) await inTransaction(giveUp);
    else await refundCampaign(this.of.campaign.projectId, month, mail.length, giveUp);
  }

  /** Loads what the messages share, before anything is claimed. */
  private async common(open: readonly Addressed[]): Promise<Common> {
    const { campaign, project } = this.of;
    const variants = [...new Set(open.map(({ recipient }) => this.variantOf(recipient)))];
    const [outgoing, ...contents] = await Promise.all([
      outgoingOf(this.tools.core, project, campaign),
      ...variants.map(async (variant) => [variant, await contentsOf(contentIdOf(campaign, variant))] as const),
    ]);
    return { outgoing, contents: new Map(contents) };
  }

  private messages({ outgoing, contents }: Common, { mail, month }: Begun): Messages {
    const { core } = this.tools;
    const charge = month === null ? null : { month, credits: 1 };
    const addressedAt = (at: number): Addressed => mail[at] as Addressed;
    const contentsAt = (at: number): CampaignContents => contents.get(this.variantOf(addressedAt(at).recipient)) as CampaignContents;
    const make = (at: number): CampaignMessage => campaignMessage(core, outgoing, addressedAt(at), contentsAt(at), charge, this.attempt);
    const parts = { outgoing, attempt: this.attempt, mail, contentsAt, make };
    const stream = outgoing.campaign.testMode ? null : new SliceStream(core, parts);
    return { count: mail.length, make, stream };
  }

  private variantOf({ variant }: PageRecipient): Variant {
    const { subject } = this.of.input;
    if (subject !== 'own') return subject;
    return variant === 'b' ? 'b' : 'a';
  }
}

function contentIdOf({ contentIds }: Campaign, variant: Variant): string {
  const contentId = (variant === 'b' ? contentIds?.b : null) ?? contentIds?.a;
  if (!contentId) throw new Error('A campaign that is sent has a content');
  return contentId;
}

const oneOfAlike = (contents: readonly string[]): readonly string[] =>
  contents.every((content) => content === contents[0]) ? contents.slice(0, 1) : contents;
