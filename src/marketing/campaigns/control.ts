import type { ClientSession } from 'mongoose';
import { campaignWorkflowId, resumedSignal, unscheduledSignal } from '../../contracts/campaign';
import type { CampaignKey } from '../../contracts/campaign';
import type { SignalIntent } from '../../contracts/processes';
import { AppError, invalidState } from '../../platform/core';
import type { Context, Core } from '../../platform/core';
import type { Keep } from '../../platform/idempotency';
import { getProject } from '../../records/projects';
import { lacksApproval, neededWords } from '../../rules/approval-needed';
import { inTransaction } from '../../platform/mongo';
import { startNow, wantNow } from '../../platform/outbox';
import { wakeDelivery } from '../../platform/wake-ups';
import { shardOf } from '../../contracts/delivery';
import { idsBeingSent, keepContents, requeueFailed, holdRetries, releaseRetries } from '../../records/emails';
import { announceHold } from './announce';
import { readCampaign } from './drafts';
import { requireClear } from './gate';
import { CampaignModel, CampaignRecipientModel } from './model';
import type { Campaign, CampaignPause } from './model';
import { interruptPages, messagesBegun } from './page-claims';
import { endHolds } from './providers';
import { contentsOf } from './contents';
import { reachedBy } from './reached';
import type { CampaignReach } from './reached';
import { ROLLOUT_STOPPED, askedSteps, resumedStep } from './rollout';
import { prepareStart, startIntent } from './send';
import { requireStrings } from './refusals';
import { workflowIdOf } from './series';
import { recipientsOf } from './walk';
import type { StoppedCampaigns } from '../../sending/deliver';

/** The progress of a campaign when it was paused: together with the skipped recipients, its audience. */
export interface Reached {
  /** Recipients whose first attempt has ended. */
  readonly sent: number;
  /** Recipients whose first attempt is under way. */
  readonly inFlight: number;
  /** Recipients whose message has not begun. */
  readonly remaining: number;
}

/**
 * Pauses a sending campaign: once this has resolved, no further message of it begins until it is resumed. Deferred messages keep their retries,
 * unless `retries` holds them. `until` resumes it automatically; null does not. A campaign that is paused already gets the new pause.
 * Throws `not_found`, `invalid_state` unless it is sending.
 *
 * | killed                       | found                                  | happens                                                   |
 * |------------------------------|----------------------------------------|-----------------------------------------------------------|
 * | before the commit            | the campaign as it was                 | the caller asks again                                     |
 * | after it                     | `paused`, pages under way              | each stops at its next call, seconds later; the caller has no answer yet |
 */
export async function pauseCampaign(
  ctx: Context,
  id: string,
  { until, retries }: Pick<CampaignPause, 'until' | 'retries'>,
): Promise<{ campaign: Campaign; reached: Reached }> {
  const { projectId } = ctx;
  const paused: CampaignPause = { at: new Date(), until, retries };
  const reach = await reachedBy(await readCampaign(ctx, id));
  const { campaign, before } = await inTransaction(async (session) => {
    const filter = { _id: id, projectId, status: 'sending' } as const;
    const before = await CampaignModel.findOneAndUpdate(filter, { $set: { paused } }, { session }).lean<Campaign>();
    if (!before) throw await refusal(ctx, id, 'Only a sending campaign can be paused');
    if (!before.paused) await notePause(session, before, paused.at, reach);
    // A workflow that waits already checks the new end; any other finds the pause when it asks for a page.
    if (before.paused) await wantNow(session, ctx.core, [resumedIntent(before)]);
    return { campaign: { ...before, paused }, before: before.paused };
  });
  // After the commit: a page that is claimed later reads that it is paused.
  await interruptPages(id);
  await settleRetries(ctx.core, { campaignId: id, projectId }, before, paused);
  return { campaign, reached: await reachedAtPause(campaign) };
}

/** Counts and emits that a campaign is on hold, as a person has paused it. */
async function notePause(session: ClientSession, { _id, projectId }: Campaign, at: Date, reach: CampaignReach): Promise<void> {
  const counted = { $inc: { holds: 1 } };
  const campaign = await CampaignModel.findOneAndUpdate({ _id, projectId }, counted, { session, returnDocument: 'after' }).lean<Campaign>();
  if (campaign) await announceHold(session, campaign, { at, reason: 'paused' }, reach);
}

/** Counts the audience by state. Nothing begins any more, so a message that ends between two of the reads only moves from `inFlight` to `sent`. */
const reachedAtPause = async ({ _id: campaignId, audienceSize }: Campaign): Promise<Reached> => {
  const [begun, inFlight, skipped] = await Promise.all([
    messagesBegun(campaignId),
    idsBeingSent(campaignId),
    CampaignRecipientModel.countDocuments({ _id: recipientsOf(campaignId), campaignId, status: 'skipped' }),
  ]);
  const sent = Math.max(0, (begun ?? 0) - inFlight.length);
  return { sent, inFlight: inFlight.length, remaining: Math.max(0, audienceSize - skipped - sent - inFlight.length) };
};

/**
 * Resumes a paused campaign or a rollout that was stopped, and ends the holds of its project for providers that refused mail; a campaign that is on hold for
 * another reason stays on hold. Throws `not_found`, `approval_needed`, `invalid_state` unless it is paused, stopped in its rollout, or held for a provider.
 */
export async function resumeCampaign(ctx: Context, id: string, approved: ApprovedResumption | null = null): Promise<Campaign> {
  const before = await readCampaign(ctx, id);
  const isLive = before.status === 'sending' && !before.testMode;
  const woken = isLive ? await endHolds(ctx.projectId, resumedIntent) : null;
  if (woken) startNow(ctx.core, woken);
  if (!approved && woken && !before.paused && before.heldReason !== ROLLOUT_STOPPED) return readCampaign(ctx, id);
  return endOwnHold(ctx, id, approved);
}

/** A resumption that a person has approved. */
export interface ApprovedResumption {
  /** The number of recipients that was approved. */
  readonly approvedFor: number;
  /** Called in the transaction that resumes it, with the campaign as it was. */
  readonly keep: Keep<Campaign>;
}

/** Throws `approval_needed` where a campaign has more recipients than were approved. */
function requireApproved({ project }: Context, { _id, phase, testMode, audienceSize, approvedFor }: Campaign): void {
  if (phase !== 'frozen' || testMode || !lacksApproval(project, audienceSize, approvedFor)) return;
  throw new AppError('approval_needed', neededWords(project, audienceSize, `resumeCampaign of ${_id}`));
}

/** Ends the pause of a campaign, and the stop of its rollout. */
async function endOwnHold(ctx: Context, id: string, approved: ApprovedResumption | null): Promise<Campaign> {
  const { projectId } = ctx;
  const isHeld = { $or: [{ paused: { $exists: true } }, { heldReason: ROLLOUT_STOPPED }] };
  const { before, resumed } = await inTransaction(async (session) => {
    const held = { _id: id, projectId, status: 'sending' as const, ...isHeld };
    const before = await CampaignModel.findOne(held, null, { session }).lean<Campaign>();
    if (!before) throw await refusal(ctx, id, 'Only a paused campaign or a stopped rollout can be resumed');
    if (!approved) requireApproved(ctx, before);
    const approvedFor = approved && { approvedFor: approved.approvedFor };
    const update = { $unset: { paused: 1 }, $set: { ...resumedStep(before, new Date()), ...approvedFor } };
    const campaign = await CampaignModel.findOneAndUpdate(held, update, { session, returnDocument: 'after' }).lean<Campaign>();
    await wantNow(session, ctx.core, [resumedIntent(before)]);
    await approved?.keep(session, before);
    return { before, resumed: campaign ?? before };
  });
  await settleRetries(ctx.core, { campaignId: id, projectId }, before.paused, undefined);
  return resumed;
}

/** Ends a pause whose time is over, unless the campaign needs an approval first. A pause that was changed or ended meanwhile stays as it is. */
export async function endPause(
  core: Pick<Core, 'processes' | 'log'>,
  { campaignId, projectId }: CampaignKey,
  until: string,
): Promise<void> {
  const filter = { _id: campaignId, projectId, 'paused.until': new Date(until) };
  const [campaign, project] = await Promise.all([CampaignModel.findOne(filter).lean<Campaign>(), getProject(projectId)]);
  if (campaign && !campaign.testMode && lacksApproval(project, campaign.audienceSize, campaign.approvedFor))
    return void (await CampaignModel.updateOne(filter, { $set: { 'paused.until': null } }));
  const ended = await CampaignModel.findOneAndUpdate(filter, { $unset: { paused: 1 } }).lean<Campaign>();
  if (ended) await settleRetries(core, { campaignId, projectId }, ended.paused, undefined);
}

/**
 * Tries the messages again that failed for good, other than by a bounce: each has one more chain of attempts, with the same content and Message-ID. Throws
 * `not_found`, `invalid_state` unless the campaign is sending or sent.
 */
export async function retryFailed(ctx: Context, id: string): Promise<Campaign> {
  const campaign = await readCampaign(ctx, id);
  const { projectId, status } = campaign;
  if (status !== 'sending' && status !== 'sent') throw await refusal(ctx, id, 'Only a sending or sent campaign has messages to retry');
  const now = new Date();
  await keepContents(contentsOf(campaign), now);
  const requeued = await requeueFailed(projectId, id, now);
  if (requeued > 0) wakeDelivery(ctx.core, shardOf(projectId));
  return campaign;
}

/** Turns a scheduled campaign back into a draft. Throws `not_found`, `invalid_state` unless it is scheduled. */
export async function unscheduleCampaign(ctx: Context, id: string): Promise<Campaign> {
  const { projectId } = ctx;
  const scheduled = await readCampaign(ctx, id);
  return inTransaction(async (session) => {
    const campaign = await CampaignModel.findOneAndUpdate(
      { _id: id, projectId, status: 'scheduled', scheduledFor: scheduled.scheduledFor },
      {
        $set: { status: 'draft', scheduledFor: null, abDecideAt: null, throttlePerMinute: null, contentIds: null },
        $unset: { timing: 1, decide: 1, rollout: 1, approvedFor: 1 },
        $inc: { version: 1 },
      },
      { session, returnDocument: 'after' },
    ).lean<Campaign>();
    if (!campaign) throw await refusal(ctx, id, 'Only a scheduled campaign can be unscheduled');
    await wantNow(session, ctx.core, [unscheduledIntent(scheduled)]);
    return campaign;
  });
}

/**
 * Moves a scheduled campaign to another time, and the decision of its A/B test by as much. Throws `not_found`, `invalid_state` unless it is scheduled, 422 when
 * the sender may not send any more, and for what `requireClear` finds.
 */
export async function rescheduleCampaign(ctx: Context, id: string, scheduledFor: Date, force: boolean): Promise<Campaign> {
  const scheduled = await readCampaign(ctx, id);
  const { projectId, scheduledFor: before, abDecideAt: decision, throttlePerMinute } = scheduled;
  if (scheduled.status !== 'scheduled' || before === null) throw await refusal(ctx, id, 'Only a scheduled campaign can be rescheduled');
  if (scheduled.timing?.localTime) throw invalidState('A campaign with localTime cannot be rescheduled. Unschedule it and send it again');
  const abDecideAt = decision && new Date(decision.getTime() + scheduledFor.getTime() - before.getTime());
  const { timing: _timing, ...draft } = scheduled;
  const options = { scheduledFor, abDecideAt, throttlePerMinute, rollout: askedSteps(scheduled) };
  await requireStrings(ctx, draft);
  const moved = await prepareStart(ctx, draft, options, new Date());
  await requireClear(ctx, scheduled, force);
  const isMoved = await inTransaction(async (session) => {
    const { matchedCount } = await CampaignModel.updateOne(
      { _id: id, projectId, status: 'scheduled', scheduledFor: before },
      {
        $set: { scheduledFor, abDecideAt: moved.abDecideAt, contentIds: moved.contentIds, ...(moved.timing && { timing: moved.timing }) },
        ...(!moved.timing && { $unset: { timing: 1 } }),
      },
      { session },
    );
    if (matchedCount === 1) await wantNow(session, ctx.core, [startIntent(moved)]);
    return matchedCount === 1;
  });
  if (!isMoved) throw await refusal(ctx, id, 'The campaign was changed meanwhile');
  return moved;
}

export const resumedIntent = (campaign: Campaign): SignalIntent => ({
  kind: 'signal',
  workflowId: workflowIdOf(campaign),
  signal: resumedSignal.name,
  id: 'resumed',
  repeatable: true,
});

const unscheduledIntent = ({ _id, scheduledFor }: Campaign): SignalIntent => ({
  kind: 'signal',
  workflowId: campaignWorkflowId(_id),
  signal: unscheduledSignal.name,
  id: `unscheduled-${String(scheduledFor?.getTime())}`,
  input: scheduledFor?.toISOString() ?? null,
  repeatable: true,
});

async function refusal(ctx: Context, id: string, text: string): Promise<Error> {
  const { status, paused } = await readCampaign(ctx, id);
  return invalidState(`${text}; this one is ${paused ? 'paused' : status}`);
}

/** A retry that is held is checked again after this long: its campaign may have been resumed without releasing it, by a crash or a restore. */
const CHECK_AGAIN_MS = 15 * 60_000;
/** The most by which the clocks of two machines differ. */
const CLOCKS_MS = 60_000;

const nextCheckAt = ({ until }: CampaignPause, now: Date): Date =>
  new Date(Math.min(now.getTime() + CHECK_AGAIN_MS, Math.max(now.getTime() + CLOCKS_MS, until?.getTime() ?? Number.MAX_SAFE_INTEGER)));

/** Finds which of the campaigns were cancelled, or are paused with their retries. */
export async function stoppedCampaigns(ids: readonly string[], now: Date): Promise<StoppedCampaigns> {
  if (ids.length === 0) return { cancelled: new Set(), held: new Map() };
  const stopped = { _id: { $in: [...ids] }, $or: [{ status: 'cancelled' as const }, { 'paused.retries': 'hold' as const }] };
  const rows = await CampaignModel.find(stopped, { status: 1, paused: 1 }).lean<Pick<Campaign, '_id' | 'status' | 'paused'>[]>();
  return {
    cancelled: new Set(rows.flatMap(({ _id, status }) => (status === 'cancelled' ? [_id] : []))),
    held: new Map(
      rows.flatMap(({ _id, status, paused }) => (status !== 'cancelled' && paused ? [[_id, nextCheckAt(paused, now)] as const] : [])),
    ),
  };
}

/**
 * Holds or releases the retries of a campaign as its pause says, after it is stored: once this has resolved, none begins that is held. What is due later is held
 * when it is found.
 */
async function settleRetries(
  core: Pick<Core, 'processes' | 'log'>,
  { campaignId, projectId }: CampaignKey,
  before: CampaignPause | undefined,
  after: CampaignPause | undefined,
): Promise<void> {
  const now = new Date();
  const key = { campaignId, projectId };
  if (after?.retries === 'hold') return holdRetries(key, new Date(now.getTime() + CLOCKS_MS), nextCheckAt(after, now));
  if (before?.retries === 'hold' && (await releaseRetries(key, now))) wakeDelivery(core, shardOf(projectId));
}
