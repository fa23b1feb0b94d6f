import {
  CancellationScope,
  continueAsNew,
  executeChild,
  isCancellation,
  makeContinueAsNewFunc,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { campaignAbId, campaignProgressQuery, cancelSignal, wantedSignal } from '../src/contracts/campaign';
import type { CampaignCursor, CampaignPlan, CampaignProgress, CampaignSendInput, FinishResult } from '../src/contracts/campaign';
import { campaignAb } from './campaign-ab';
import { PageSender, activitiesOfCampaigns, stageOf } from './campaign-pages';
import { dueAt } from './due';

const { beginCampaign, freezeCampaign, gatherNonOpeners, finishCampaign } = activitiesOfCampaigns;

/** Before messages that were missed at first are looked for again. */
const AGAIN_MS = 1_000;

/**
 * Sends a campaign: waits for its time, freezes the audience, sends page after page, in an experiment decides in between, and ends it. What there is to do is in
 * the documents; a new run carries a cursor alone.
 *
 * | killed                        | found                                       | happens                                                     |
 * |-------------------------------|---------------------------------------------|-------------------------------------------------------------|
 * | a worker, in an activity      | what the activity wrote                     | another worker does the activity again; each is safe to repeat |
 * | all workers                   | the history                                 | timers run on; the next worker replays and goes on           |
 * | Temporal, before the start    | the intent in the outbox                      | the sweep starts it                                         |
 * | Temporal, later               | its history                                 | it goes on; pages that were on their way are sent by then    |
 * | the cancel signal is late     | `cancelled`                                 | pages and begin find that and stop; the signal ends the rest |
 * | Temporal's store              | documents that are not over                 | the sweep starts it; pages that are done are looked through  |
 * | the documents since then      | `behind`, or another start that is wanted   | it begins again, from the documents                           |
 */
export async function campaignSend(input: CampaignSendInput): Promise<void> {
  await new Campaign(input).run();
}

class Campaign {
  private phase: CampaignProgress['phase'] = 'freezing';
  private plan: CampaignPlan | null;
  private cursor: CampaignCursor | null;
  private readonly pages: PageSender;
  private readonly scope = new CancellationScope();
  private cancelled = false;
  private wanted: CampaignSendInput | null = null;

  constructor(private readonly input: CampaignSendInput) {
    this.cursor = input.cursor ?? null;
    this.plan = this.cursor?.plan ?? null;
    this.pages = new PageSender(input, () => this.showProgress());
    setHandler(cancelSignal, () => {
      this.cancelled = true;
      this.scope.cancel();
    });
    setHandler(wantedSignal, (wanted) => {
      if (this.plan === null && wanted.scheduledFor === input.scheduledFor) return;
      this.wanted = wanted;
      this.scope.cancel();
    });
    setHandler(campaignProgressQuery, () => this.progress());
  }

  async run(): Promise<void> {
    let finished = false;
    let found = true;
    try {
      finished = await this.scope.run(() => this.send());
    } catch (error) {
      if (!isCancellation(error)) throw error;
      found = false;
    }
    if (this.wanted && !this.cancelled) return this.beginAs(this.wanted);
    if (finished && !this.cancelled) return;
    return this.end(found && !this.cancelled);
  }

  /** Ends by its signal, or by an operator who cancelled the workflow, or, as was `found`, by its documents: either way no recipient is left waiting. */
  private async end(found: boolean): Promise<void> {
    const { behind, decideAt } = await CancellationScope.nonCancellable(() => this.finish(true, found));
    if (behind) return this.beginAnew();
    if (!found || decideAt === undefined) return this.enter('cancelled');
    this.enter('sent');
    await this.decide(decideAt);
    this.enter('sent');
  }

  private beginAs(wanted: CampaignSendInput): Promise<never> {
    const typedSearchAttributes = workflowInfo().typedSearchAttributes.updateCopy([dueAt(wanted.scheduledFor)]);
    return makeContinueAsNewFunc<typeof campaignSend>({ typedSearchAttributes })(wanted);
  }

  private beginAnew(): Promise<never> {
    const { cursor: _cursor, ...input } = this.input;
    return continueAsNew<typeof campaignSend>(input);
  }

  /** Resolves to false when the campaign turns out to be cancelled. */
  private async send(): Promise<boolean> {
    const cursor = this.cursor ?? (await this.freeze());
    if (!cursor) return false;
    let at = cursor;
    for (;;) {
      const done = await this.sendStages(at);
      if (done !== 'done') return done === 'ended';
      const { pending, behind } = await this.finish(false);
      if (behind) return this.beginAnew();
      if (pending === 0) break;
      await sleep(AGAIN_MS, { summary: `until ${pending} messages that were put off are looked at again` });
      at = { ...at, stage: 'sample', page: 0, from: null, winner: this.pages.winner };
    }
    this.enter('sent');
    return true;
  }

  private async freeze(): Promise<CampaignCursor | null> {
    const { campaignId, projectId, scheduledFor, gathers } = this.input;
    const key = { campaignId, projectId };
    if (gathers) await gatherNonOpeners(key);
    if (scheduledFor !== null) {
      this.enter('scheduled');
      await sleep(Math.max(0, Date.parse(scheduledFor) - Date.now()), { summary: 'until the campaign is to begin' });
    }
    this.enter('freezing');
    if (!(await beginCampaign({ ...key, now: Date.now() }))) return null;
    this.plan = await freezeCampaign(key);
    return this.plan && { plan: this.plan, stage: 'sample', winner: null, page: 0, from: null, notBefore: 0, sent: 0, skipped: 0 };
  }

  /** `ended`: everything was sent before the decision, and it has been made since. */
  private async sendStages(cursor: CampaignCursor): Promise<'done' | 'over' | 'ended'> {
    const { plan } = cursor;
    let at = cursor;
    if (at.stage === 'sample') {
      if (!(await this.sendStage(at))) return 'over';
      if (!plan.ab) return 'done';
      if (plan.ab.boundary === null) return this.endThenDecide(plan.ab.decideAt);
      const winner = at.winner ?? (await this.decide(plan.ab.decideAt));
      if (winner === null) return 'over';
      at = { ...at, stage: 'rest', winner, page: 0, from: null, sent: this.pages.sent, skipped: this.pages.skipped };
    }
    return (await this.sendStage(at)) ? 'done' : 'over';
  }

  private async sendStage(cursor: CampaignCursor): Promise<boolean> {
    this.enter('sending');
    const outcome = await this.pages.send(cursor, stageOf(cursor));
    if (typeof outcome === 'string') return outcome === 'done';
    return continueAsNew<typeof campaignSend>({ ...this.input, cursor: outcome });
  }

  /** The winner is not waited for: the campaign ends now and the winner is known later. */
  private async endThenDecide(decideAt: string): Promise<'done' | 'ended'> {
    const { pending } = await this.finish(false);
    if (pending > 0) return 'done';
    this.enter('sent');
    await this.decide(decideAt);
    this.enter('sent');
    return 'ended';
  }

  private async decide(decideAt: string) {
    if (this.phase !== 'sent') this.enter('deciding');
    const { campaignId, projectId } = this.input;
    return executeChild(campaignAb, {
      workflowId: campaignAbId(campaignId),
      args: [{ campaignId, projectId, decideAt }],
      staticSummary: `Decides at ${decideAt}`,
      typedSearchAttributes: workflowInfo().typedSearchAttributes.updateCopy([dueAt(decideAt)]),
    });
  }

  private async finish(cancelled: boolean, found = false): Promise<FinishResult> {
    if (!cancelled) this.enter('finishing');
    const { campaignId, projectId } = this.input;
    const result = await finishCampaign({ campaignId, projectId, now: Date.now(), cancelled, ...(found && { found }) });
    this.pages.count(result);
    return result;
  }

  private enter(phase: CampaignProgress['phase']): void {
    this.phase = phase;
    this.showProgress();
  }

  private showProgress(): void {
    const { phase, total, sent, skipped, heldReason } = this.progress();
    const held = heldReason === null ? '' : ` (${heldReason})`;
    setCurrentDetails(`${phase}${held}: ${sent} sent and ${skipped} skipped of ${total ?? 'an audience that is not frozen yet'}`);
  }

  private progress(): CampaignProgress {
    const { sent, skipped, page, pages, heldReason } = this.pages;
    const phase = this.phase === 'sending' && heldReason !== null ? 'held' : this.phase;
    return { phase, total: this.plan?.total ?? null, sent, skipped, page, pages, heldReason };
  }
}
