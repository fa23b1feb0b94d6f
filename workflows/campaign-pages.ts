import { ActivityCancellationType, ActivityFailure, isCancellation, sleep, workflowInfo } from '@temporalio/workflow';
import type {
  CampaignCursor,
  CampaignKey,
  CampaignPageInput,
  CampaignPageResult,
  RecipientRange,
  Variant,
} from '../src/contracts/campaign';
import { pageCount, pageRange } from '../src/rules/campaign-ranges';
import { nextDue, paceOf } from '../src/rules/campaign-throttle';
import { summarizedActivities } from './summarized';

/** Reading and writing in bulk; tried until it succeeds, since an audience that is given up on is a campaign that forgets. */
const bulk = summarizedActivities({
  taskQueue: 'bulk',
  startToCloseTimeout: '6 hours',
  heartbeatTimeout: '30 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
});

const light = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
});

/** A page whose worker is lost is asked for elsewhere; a cancelled one finishes what it has on the wire. */
const { sendCampaignPage } = summarizedActivities({
  taskQueue: 'delivery',
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '15 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
});

/** With the worker of this task queue, which may be gone. */
const only = (taskQueue: string) =>
  summarizedActivities({
    taskQueue,
    scheduleToStartTimeout: '3 seconds',
    startToCloseTimeout: '15 minutes',
    heartbeatTimeout: '15 seconds',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { maximumAttempts: 1 },
  });

/** Sends a page where it is to be; anywhere when that worker does not take it, or is lost. */
async function sendPageAt(queue: string | null, input: CampaignPageInput): Promise<CampaignPageResult> {
  if (queue === null) return sendCampaignPage(input);
  try {
    return await only(queue).sendCampaignPage(input);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return sendCampaignPage(input);
  }
}

export const activitiesOfCampaigns = {
  beginCampaign: light.beginCampaign,
  freezeCampaign: bulk.freezeCampaign,
  gatherNonOpeners: bulk.gatherNonOpeners,
  finishCampaign: bulk.finishCampaign,
};

/** Pages of a campaign at once: at least so many, where its plan does not say, and so many for each worker, which is sending one while it reads the next. */
const AT_ONCE = 4;
const AT_ONCE_EACH = 2;
/** Well before the 10,000 events at which a history is warned about. */
const HISTORY_LIMIT = 4_000;
const FIRST_HOLD_MS = 1_000;
const LONGEST_HOLD_MS = 15_000;
/** Before a page that ran long enough is asked for again. */
const AGAIN_MS = 100;

export interface Stage extends RecipientRange {
  readonly rows: number;
  readonly subject: CampaignPageInput['subject'];
  readonly winner: Variant | null;
}

/** Returns what a stage of the campaign is sent: in an experiment first the sample, each its own subject, then the rest, the winner's. */
export function stageOf({ plan, stage, winner }: CampaignCursor): Stage {
  const { total, ab } = plan;
  if (!ab) return { from: '', to: null, rows: total, subject: 'a', winner: null };
  if (stage === 'sample') return { from: '', to: ab.boundary, rows: ab.sample, subject: 'own', winner: null };
  return { from: ab.boundary ?? '', to: null, rows: total - ab.sample, subject: winner ?? 'a', winner };
}

const historyIsLong = (): boolean => {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  return continueAsNewSuggested || historyLength > HISTORY_LIMIT;
};

/** Resolves when all are done, also those that are added meanwhile. */
async function allOf(works: readonly Promise<void>[]): Promise<void> {
  for (let known = 0; known < works.length;) {
    known = works.length;
    await Promise.all(works);
  }
}

type PageOutcome = 'done' | 'over' | 'unfinished';

/** Sends the pages of a stage and counts what they did. */
export class PageSender {
  sent: number;
  skipped: number;
  page = 0;
  pages: number | null = null;
  heldReason: string | null = null;
  winner: Variant | null;
  /** The workers that share the pages, by their task queues; empty in histories of before they did. */
  private queues: readonly string[];
  private least = AT_ONCE;

  constructor(
    private readonly key: CampaignKey & { readonly cursor?: CampaignCursor },
    private readonly showProgress: () => void,
  ) {
    this.sent = key.cursor?.sent ?? 0;
    this.skipped = key.cursor?.skipped ?? 0;
    this.winner = key.cursor?.winner ?? null;
    this.queues = key.cursor?.plan.queues ?? [];
  }

  /** Resolves to `over` when the campaign is not sending any more, or to where a new run of the workflow is to go on. */
  async send(cursor: CampaignCursor, stage: Stage): Promise<'done' | 'over' | CampaignCursor> {
    this.winner = cursor.winner;
    this.queues = cursor.plan.queues ?? this.queues;
    const { throttlePerMinute, pagesAtOnce = AT_ONCE } = cursor.plan;
    this.least = pagesAtOnce;
    return throttlePerMinute === null ? this.sendAll(cursor, stage) : this.sendSpaced(cursor, stage, throttlePerMinute);
  }

  /** Takes over recounted, exact numbers. */
  count({ sent, skipped }: { readonly sent: number; readonly skipped: number }): void {
    this.sent = sent;
    this.skipped = skipped;
    this.showProgress();
  }

  private async sendAll(cursor: CampaignCursor, stage: Stage): Promise<'done' | 'over' | CampaignCursor> {
    const pages = pageCount(stage.rows, cursor.plan.pageRows);
    const outcomes = new Map<number, PageOutcome>();
    let next = cursor.page;
    this.pages = pages;
    const work = async (place: number): Promise<void> => {
      while (next < pages && place < this.places && !historyIsLong()) {
        const index = next++;
        this.page = next;
        const outcome = await this.sendPage(stage, pageRange(stage, index, pages), place);
        outcomes.set(index, outcome);
        if (outcome !== 'done') return;
        fill();
      }
    };
    const works: Promise<void>[] = [];
    // A worker that joins gets its pages with the next page that is done.
    const fill = (): void => {
      while (works.length < this.places) {
        const working = work(works.length);
        working.catch(() => undefined);
        works.push(working);
      }
    };
    fill();
    await allOf(works);
    if ([...outcomes.values()].includes('over')) return 'over';
    const unfinished = [...outcomes].flatMap(([index, outcome]) => (outcome === 'done' ? [] : [index]));
    const page = Math.min(next, ...unfinished);
    return page >= pages ? 'done' : this.going(cursor, { page, from: null, notBefore: 0 });
  }

  private get places(): number {
    return Math.max(this.least, AT_ONCE_EACH * this.queues.length);
  }

  /** Each worker has the same number of places. One that is alone has whatever there is to have. */
  private queueAt(place: number | null): string | null {
    return place === null || this.queues.length < 2 ? null : (this.queues[place % this.queues.length] ?? null);
  }

  private async sendSpaced(cursor: CampaignCursor, stage: Stage, perMinute: number): Promise<'done' | 'over' | CampaignCursor> {
    const pace = paceOf(perMinute);
    this.pages = Math.ceil(stage.rows / pace.rows);
    let from = cursor.from ?? stage.from;
    let due = cursor.notBefore;
    for (this.page = cursor.page + 1; ; this.page++) {
      if (due > Date.now()) await sleep(due - Date.now(), { summary: `until page ${this.page}: the throttle` });
      const began = Date.now();
      const next = await light.nextCampaignRange({ ...this.names(), from, to: stage.to, rows: pace.rows });
      const outcome = await this.sendPage(stage, { from, to: next ?? stage.to });
      if (outcome === 'over') return 'over';
      due = nextDue(due, began, pace);
      if (outcome === 'unfinished') return this.going(cursor, { page: this.page - 1, from, notBefore: due });
      if (next === null) break;
      from = next;
      if (historyIsLong()) return this.going(cursor, { page: this.page, from, notBefore: due });
    }
    // What comes next keeps the distance too.
    await sleep(Math.max(0, due - Date.now()), { summary: 'the throttle, before what comes next' });
    return 'done';
  }

  /** One page until it is done; `unfinished` when the history has grown too long meanwhile. */
  private async sendPage({ subject, winner }: Stage, range: RecipientRange, place: number | null = null): Promise<PageOutcome> {
    let wait = FIRST_HOLD_MS;
    for (;;) {
      const input = { ...this.names(), ...range, subject, winner };
      const result = await sendPageAt(this.queueAt(place), input);
      this.note(result);
      const { sent, done, held, over } = result;
      if (over) return 'over';
      if (done) return 'done';
      await sleep(held === null ? AGAIN_MS : wait, { summary: `until the page goes on: ${held ?? 'more to do'}` });
      wait = held === null || sent > 0 ? FIRST_HOLD_MS : Math.min(LONGEST_HOLD_MS, wait * 2);
      if (historyIsLong()) return 'unfinished';
    }
  }

  private note({ sent, skipped, held, queues = this.queues }: CampaignPageResult): void {
    this.queues = queues;
    this.sent += sent;
    this.skipped += skipped;
    this.heldReason = held;
    this.showProgress();
  }

  private names(): CampaignKey {
    return { campaignId: this.key.campaignId, projectId: this.key.projectId };
  }

  private going(cursor: CampaignCursor, at: Pick<CampaignCursor, 'page' | 'from' | 'notBefore'>): CampaignCursor {
    return { ...cursor, ...at, plan: { ...cursor.plan, queues: this.queues }, sent: this.sent, skipped: this.skipped };
  }
}
