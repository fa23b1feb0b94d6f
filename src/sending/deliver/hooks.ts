import type { CampaignPageInput, CampaignPageResult } from '../../contracts/campaign';
import type { Core } from '../../platform/core';
import { hook } from '../../platform/hooks';
import type { CampaignClaim, Claims, Email } from '../../records/emails';
import type { Engine } from './engine';

export interface PageCall {
  readonly input: CampaignPageInput;
  readonly signal: AbortSignal;
}

/** The parts of a worker process that pages of campaigns use. */
export interface PageTools {
  readonly core: Core;
  readonly engine: Engine;
  readonly workerId: string;
  /** Campaign messages of this process that have begun and are not recorded: at most LEDGER_CHUNK. */
  readonly permits: Permits;
  readonly sliceSize: number;
}

/** The calls of delivery to campaigns: send a page of one, and what only campaigns know of the claims of a lost worker. */
export interface CampaignWork {
  sendPage(tools: PageTools, call: PageCall): Promise<CampaignPageResult>;
  /** Lists workers that have claimed pages. */
  workers(): Promise<readonly string[]>;
  takePages(claims: Claims): Promise<void>;
  /** Gives up a claim that has not begun, with its credits. */
  giveUp(claim: CampaignClaim): Promise<void>;
  /** Resolves to the messages of a claim, but for `written` ones, as they go into the queue: without a contact where that is gone. */
  messagesOf(core: Core, claim: CampaignClaim, written: ReadonlySet<string>): Promise<readonly Email[]>;
}

/** Answered by the room of campaign mail. */
export const campaignWork = hook<CampaignWork>('how pages of campaigns are sent');

/** Campaigns whose messages are not to be retried. */
export interface StoppedCampaigns {
  readonly cancelled: ReadonlySet<string>;
  /** Campaigns that are paused with their retries, with the time to check again. */
  readonly held: ReadonlyMap<string, Date>;
}

/** Finds which of the campaigns were cancelled, or hold their retries. */
export const stoppedCampaigns = hook<(ids: readonly string[], now: Date) => Promise<StoppedCampaigns>>('which campaigns are stopped');

/** A counting semaphore of this process; waiting calls are served in order. */
export class Permits {
  private readonly waiting: { readonly count: number; readonly grant: () => void }[] = [];

  constructor(private left: number) {}

  /**
   * Takes `count` permits, all at once, so that two waiting calls never hold half of what the other needs. Resolves to what gives them back, which may be
   * called again without an effect.
   */
  async take(count: number): Promise<() => void> {
    await new Promise<void>((grant) => {
      this.waiting.push({ count, grant });
      this.serve();
    });
    let held = count;
    return () => {
      this.left += held;
      held = 0;
      this.serve();
    };
  }

  private serve(): void {
    for (let next = this.waiting[0]; next && next.count <= this.left; next = this.waiting[0]) {
      this.waiting.shift();
      this.left -= next.count;
      next.grant();
    }
  }
}
