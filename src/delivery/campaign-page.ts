import { domainOf } from '../address';
import { assignWinner, findCampaign, recipientsOfPage, setHeldReason } from '../campaigns/page-source';
import type { Campaign, CampaignRecipient } from '../campaigns/page-source';
import { reserveCredits, settleReservation } from '../billing/reservations';
import type { Core, ProjectFacts } from '../context';
import type { CampaignPageInput, CampaignPageResult, Variant } from '../contracts/campaign';
import { sendersOf } from '../domains/service';
import type { SenderHosts } from '../domains/service';
import { existingIds } from '../emails/claimed';
import { contentById } from '../emails/content';
import type { Attempt, Email } from '../emails/model';
import { newId } from '../ids';
import { getProject } from '../projects/service';
import { takeUnits } from '../send/throttled';
import { sendChunk } from './campaign-chunk';
import type { ChunkTools } from './campaign-chunk';
import { judgeRecipients } from './campaign-judge';
import { campaignMail } from './campaign-mail';
import type { Addressed, CampaignContents, ReadyMail } from './campaign-mail';
import type { Permits } from './permits';
import { laterCounts } from './later-counts';

/** Recipients that are judged, charged and sent together. */
const BATCH = 250;
/** What was found of recipients holds for so long. */
const JUDGED_FOR_MS = 1_000;
/** A call ends after so long, and the page is asked for again: whichever worker is free then takes it, so that all of them get a share. */
const TURN_MS = 3_000;

export interface PageCall {
  readonly input: CampaignPageInput;
  readonly signal: AbortSignal;
}

export interface PageTools extends ChunkTools {
  /** Campaign messages of this process that are marked as being on the wire and not recorded: at most LEDGER_CHUNK. */
  readonly permits: Permits;
  /** Chunks that are made or sent at a time: while one is on the wire, the next is made, and no more lie in memory. */
  readonly making: Permits;
  readonly core: Core;
  readonly workerId: string;
  readonly chunkSize: number;
}

/** What was read of a campaign and its project for a batch, and when. */
interface Known {
  readonly campaign: Campaign;
  readonly project: ProjectFacts;
  readonly judgedAt: number;
}

type Stop = Pick<CampaignPageResult, 'held'> & { readonly over: boolean };
type Ends = Awaited<ReturnType<typeof sendChunk>>['ends'];

/**
 * Sends a page of a campaign's recipients: those who may not get it are skipped, those who have a message are left alone. Ends early when the campaign
 * may not go on, and when its turn is over.
 */
export class CampaignPage {
  private readonly until = performance.now() + TURN_MS;
  private sent = 0;
  private skipped = 0;

  constructor(
    private readonly tools: PageTools,
    private readonly call: PageCall,
  ) {}

  /** Resolves when what was sent is counted too. */
  async run(): Promise<CampaignPageResult> {
    try {
      return await this.work();
    } finally {
      await laterCounts(this.tools.core).inCampaigns.flush();
    }
  }

  private async work(): Promise<CampaignPageResult> {
    const { input } = this.call;
    if (input.winner) await assignWinner(input.campaignId, input, input.winner);
    let after: string | null = null;
    for (;;) {
      const batch: readonly CampaignRecipient[] = await recipientsOfPage(input.campaignId, input, after, BATCH);
      const stop = batch.length === 0 ? null : await this.sendBatch(batch);
      if (stop) return this.result(false, stop);
      if (batch.length < BATCH) return this.result(true, null);
      if (this.isOver) return this.result(false, null);
      after = batch.at(-1)?._id ?? null;
    }
  }

  private get isOver(): boolean {
    return this.call.signal.aborted || performance.now() > this.until;
  }

  private result(done: boolean, stop: Stop | null): CampaignPageResult {
    return { sent: this.sent, skipped: this.skipped, done, held: stop?.held ?? null, over: stop?.over ?? false };
  }

  private async sendBatch(batch: readonly CampaignRecipient[]): Promise<Stop | null> {
    const { campaignId, projectId } = this.call.input;
    const [campaign, project, there] = await Promise.all([
      findCampaign(projectId, campaignId),
      getProject(projectId),
      existingIds(batch.map(({ emailId }) => emailId)),
    ]);
    if (campaign?.status !== 'sending') return { held: null, over: true };
    const held = heldBy(project, campaign);
    if (held) return this.hold(held);
    const judgedAt = performance.now();
    const open = await this.judge(
      campaign,
      project,
      batch.filter(({ emailId }) => !there.has(emailId)),
    );
    return open.length === 0 ? null : this.sendOpen({ campaign, project, judgedAt }, open);
  }

  private async hold(held: string): Promise<Stop> {
    await setHeldReason(this.call.input.campaignId, held);
    return { held, over: false };
  }

  private async judge(campaign: Campaign, project: ProjectFacts, rows: readonly CampaignRecipient[]): Promise<readonly Addressed[]> {
    const open = await judgeRecipients(this.tools.core, campaign, project, rows);
    this.skipped += rows.length - open.length;
    return open;
  }

  private async sendOpen(known: Known, open: readonly Addressed[]): Promise<Stop | null> {
    const { core, workerId } = this.tools;
    const { campaign, project } = known;
    if (campaign.testMode) return this.sendAll(known, open, null);
    const units = await takeUnits(core, project, open.length);
    if (units === 0) return this.hold('reputation_throttled');
    const ids = open.slice(0, units).map(({ recipient }) => recipient.emailId);
    const { reservation, granted, refused } = await reserveCredits(core, project, workerId, ids);
    if (!reservation) return this.hold(refused ?? 'limit_reached');
    const before = this.sent;
    if (campaign.heldReason) await setHeldReason(campaign._id, null);
    const charge = { month: reservation.month, credits: 1, reservation: reservation._id };
    // After a failure it is not known what was charged: the reservation is left for the sweep.
    const stop = await this.sendAll(known, open.slice(0, granted), charge);
    await settleReservation(reservation, this.sent - before);
    if (stop) return stop;
    return granted < open.length ? this.hold(refused ?? 'reputation_throttled') : null;
  }

  /** In chunks: while one is on the wire, the next is made. */
  private async sendAll(known: Known, open: readonly Addressed[], charge: Email['charge']): Promise<Stop | null> {
    const { chunkSize } = this.tools;
    let from = 0;
    let stop: Stop | null = null;
    const work = async (): Promise<void> => {
      while (from < open.length && !stop && !this.isOver) {
        const chunk = open.slice(from, (from += chunkSize));
        const ends = await this.sendChunk(known, chunk, charge);
        if (ends) stop = { held: null, over: ends === 'over' };
      }
    };
    await Promise.all([work(), work()]);
    return stop ?? (from < open.length ? { held: null, over: false } : null);
  }

  private async sendChunk(known: Known, chunk: readonly Addressed[], charge: Email['charge']): Promise<Ends> {
    const { making } = this.tools;
    await making.take(1);
    try {
      return await this.makeAndSend(known, chunk, charge);
    } finally {
      making.give(1);
    }
  }

  private async makeAndSend(known: Known, chunk: readonly Addressed[], charge: Email['charge']): Promise<Ends> {
    const { engine, permits, workerId } = this.tools;
    const attempt: Attempt = { id: newId('att'), worker: workerId, at: new Date() };
    const made = await this.make(known, chunk, charge, attempt);
    await permits.take(made.length);
    try {
      const ready = await this.stillOpen(known, chunk, made);
      if (ready.length === 0) return null;
      const { sent, ends } = await engine.during(attempt.id, () => sendChunk(this.tools, known.campaign._id, attempt, ready));
      this.sent += sent;
      return ends;
    } finally {
      permits.give(made.length);
    }
  }

  /** A slow mail server makes a chunk wait for its turn: whoever left meanwhile is skipped. */
  private async stillOpen(
    { campaign, project, judgedAt }: Known,
    chunk: readonly Addressed[],
    made: readonly ReadyMail[],
  ): Promise<readonly ReadyMail[]> {
    if (performance.now() - judgedAt < JUDGED_FOR_MS) return made;
    const open = await this.judge(
      campaign,
      project,
      chunk.map(({ recipient }) => recipient),
    );
    const ids = new Set(open.map(({ recipient }) => recipient.emailId));
    return made.filter(({ email }) => ids.has(email._id));
  }

  private async make(
    { campaign, project }: Known,
    chunk: readonly Addressed[],
    charge: Email['charge'],
    attempt: Attempt,
  ): Promise<readonly ReadyMail[]> {
    const hosts = await hostsOf(this.tools.core, project, campaign);
    const made: Promise<ReadyMail>[] = [];
    for (const addressed of chunk) {
      const contents = await contentsOf(campaign, this.variantOf(addressed.recipient));
      made.push(campaignMail(this.tools.core, { campaign, hosts }, addressed, contents, charge, attempt));
    }
    return Promise.all(made);
  }

  private variantOf({ variant }: CampaignRecipient): Variant {
    const { subject } = this.call.input;
    if (subject !== 'own') return subject;
    return variant === 'b' ? 'b' : 'a';
  }
}

/** Why a campaign waits, before its credits are looked at. A test campaign knows no limits. */
function heldBy(project: ProjectFacts, campaign: Campaign): string | null {
  if (project.disabledAt) return 'disabled';
  return !campaign.testMode && project.reputation.state === 'paused' ? 'reputation_paused' : null;
}

const NO_HOSTS: SenderHosts = {};

/** Read once for each change of the project's domains. */
async function hostsOf(core: Core, project: ProjectFacts, { fromEmail }: Campaign): Promise<SenderHosts> {
  return (await sendersOf(core, project)).get(domainOf(fromEmail)) ?? NO_HOSTS;
}

async function contentsOf({ contentIds }: Campaign, variant: Variant): Promise<CampaignContents> {
  const contentId = (variant === 'b' ? contentIds?.b : null) ?? contentIds?.a;
  if (!contentId) throw new Error('A campaign that is sent has a content');
  return { contentId, content: await contentById(contentId) };
}
