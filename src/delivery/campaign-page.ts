import { assignWinner, recipientsOfPage, setHeldReason } from '../campaigns/page-source';
import type { CampaignRecipient } from '../campaigns/page-source';
import type { CampaignPageInput, CampaignPageResult } from '../contracts/campaign';
import { sendSlice } from './campaign-slice';
import type { SliceEnd, SliceTools } from './campaign-slice';
import type { Permits } from './permits';
import { laterCounts } from './later-counts';

/** Recipients that are read together. */
const READ = 500;
/** While one slice of a page is on the wire, another is claimed or recorded. */
const AT_ONCE = 2;
/** A call ends after so long, and the page is asked for again: whichever worker is free then takes it, so that all of them get a share. */
const TURN_MS = 3_000;

export interface PageCall {
  readonly input: CampaignPageInput;
  readonly signal: AbortSignal;
}

export interface PageTools extends SliceTools {
  /** Campaign messages of this process that are claimed and not recorded: at most LEDGER_CHUNK. */
  readonly permits: Permits;
  readonly sliceSize: number;
}

/**
 * Sends a page of a campaign's recipients: those who may not get it are skipped, those who have a message are left alone. Ends early when the campaign
 * may not go on, and when its turn is over.
 */
export class CampaignPage {
  private readonly until = performance.now() + TURN_MS;
  private sent = 0;
  private skipped = 0;
  private ends: SliceEnd | null = null;
  private read: readonly CampaignRecipient[] = [];
  private after: string | null = null;
  private isRead = false;
  private reading: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly tools: PageTools,
    private readonly call: PageCall,
  ) {}

  /** Resolves when what was sent is counted too. */
  async run(): Promise<CampaignPageResult> {
    const { input } = this.call;
    try {
      if (input.winner) await assignWinner(input.campaignId, input, input.winner);
      await Promise.all(Array.from({ length: AT_ONCE }, () => this.work()));
      if (typeof this.ends === 'object' && this.ends) await setHeldReason(input.campaignId, this.ends.held);
      return this.result();
    } finally {
      await laterCounts(this.tools.core).inCampaigns.flush();
    }
  }

  private result(): CampaignPageResult {
    const { ends, sent, skipped } = this;
    const held = typeof ends === 'object' && ends ? ends.held : null;
    return { sent, skipped, done: ends === null && this.isRead && this.read.length === 0, held, over: ends === 'over' };
  }

  private get isOver(): boolean {
    return this.ends !== null || this.call.signal.aborted || performance.now() > this.until;
  }

  private async work(): Promise<void> {
    const { permits, sliceSize } = this.tools;
    while (!this.isOver) {
      await permits.take(sliceSize);
      try {
        const rows = this.isOver ? [] : await this.nextRows(sliceSize);
        if (rows.length === 0) return;
        const { sent, skipped, ends } = await sendSlice(this.tools, this.call.input, rows);
        this.sent += sent;
        this.skipped += skipped;
        this.ends ??= ends;
      } finally {
        permits.give(sliceSize);
      }
    }
  }

  /** The recipients that come next; none when all were taken. */
  private nextRows(count: number): Promise<readonly CampaignRecipient[]> {
    const next = this.reading.then(async () => {
      if (this.read.length < count && !this.isRead) await this.readMore();
      const rows = this.read.slice(0, count);
      this.read = this.read.slice(count);
      return rows;
    });
    this.reading = next.catch(() => undefined);
    return next;
  }

  private async readMore(): Promise<void> {
    const { input } = this.call;
    const more = await recipientsOfPage(input.campaignId, input, this.after, READ);
    this.isRead = more.length < READ;
    this.after = more.at(-1)?._id ?? this.after;
    this.read = [...this.read, ...more];
  }
}
