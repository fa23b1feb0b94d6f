import type { ClientSession } from 'mongoose';
import { domainOf } from '../../platform/addresses';
import { afterwards } from '../../platform/async';
import { campaignWorkflowId, wantedSignal } from '../../contracts/campaign';
import type { CampaignSendInput } from '../../contracts/campaign';
import type { SignalIntent, StartIntent } from '../../contracts/processes';
import type { Context } from '../../platform/core';
import { sendersIn, sendersOf, unverifiedText } from '../../sending/domains';
import type { Senders } from '../../sending/domains';
import { refuseArchived } from '../../platform/archive';
import { AppError, invalid, invalidState } from '../../platform/core';
import { lockReferences, withReferenceLock } from '../../records/events';
import type { Keep } from '../../platform/idempotency';
import { inTransaction } from '../../platform/mongo';
import { wantNow } from '../../platform/outbox';
import { lacksApproval, neededWords } from '../../rules/approval-needed';
import { announce, announceStart } from './announce';
import { countAudience } from './audience';
import { checkReferences, notADraft, readCampaign } from './drafts';
import { requireClear } from './gate';
import { CampaignModel } from './model';
import type { Campaign } from './model';
import { treeOf, requireStrings } from './refusals';
import { asSeries, isSeries, seriesIntent, startedSeries, workflowIdOf } from './series';
import { forgetPages } from './page-claims';
import { requireSteps } from './rollout';
import type { AskedStep } from './rollout';
import { HORIZON_MS, beginOf, lastSendTime, planCampaign, timingOf } from './plan';
import type { AskedLocalTime, CampaignFlight, Launch } from './plan';
import { reachedBy } from './reached';
import { storeContents } from './contents';
import { withdrawWaiting } from './page-source';

const DECIDE_AFTER_MS = 4 * 3_600_000;
/** Time in which a cancel itself stops messages; its workflow stops the rest. */
const WITHDRAW_MS = 5_000;

export interface SendOptions {
  readonly scheduledFor: Date | null;
  /** When an A/B experiment is decided; null is 4 hours after the start. */
  readonly abDecideAt: Date | null;
  /** Whether that waits while the campaign is paused. */
  readonly decide?: Campaign['decide'];
  readonly throttlePerMinute: number | null;
  /** The launch is at this reading of each recipient's clock; `scheduledFor` is then null. */
  readonly localTime?: AskedLocalTime | null;
  /** The steps in which it is sent; null where all are sent to at once. */
  readonly rollout?: readonly AskedStep[] | null;
  /** Launches it in spite of what would stop it. */
  readonly force?: boolean;
  /** The number of recipients that a person has approved. */
  readonly approvedFor?: number;
}

/**
 * Starts a draft, or schedules it. Stores its content as it is now; its audience is frozen when it starts. `keep` stores the answer with it.
 * Throws `not_found`, `approval_needed`, `invalid_state` unless it is a draft that is not archived and for a disabled project, 422 for an invalid audience, sender or instant, and for what `requireClear` finds.
 */
export async function sendCampaign(ctx: Context, id: string, options: SendOptions, keep: Keep<Campaign>): Promise<Campaign> {
  for (;;) {
    const draft = await readCampaign(ctx, id);
    requireDraft(draft);
    const started = await prepareDraft(ctx, draft, options, new Date());
    await requireClear(ctx, draft, options.force === true);
    await requireApproved(ctx, draft, options.approvedFor);
    if (await start(ctx, draft, started, keep)) return started;
  }
}

/** Throws `invalid_state` for what is no draft, or an archived one. */
function requireDraft(campaign: Campaign): void {
  if (campaign.status !== 'draft') throw notADraft(campaign, 'sent');
  refuseArchived(campaign, 'campaign');
}

/** Throws `approval_needed` where a draft would reach more than a person alone may decide. In test mode nothing leaves. */
async function requireApproved({ project, testMode }: Context, draft: Campaign, approvedFor?: number): Promise<void> {
  if (testMode || project.approvalNeededAbove === undefined) return;
  const recipients = await countAudience(project, draft, new Date());
  if (lacksApproval(project, recipients, approvedFor))
    throw new AppError('approval_needed', neededWords(project, recipients, 'sendCampaign'));
}

/** Checks that a draft could be sent now, and starts nothing. Resolves to the draft. Throws as `sendCampaign`. */
export async function checkLaunch(ctx: Context, id: string, options: SendOptions): Promise<Campaign> {
  const draft = await readCampaign(ctx, id);
  requireDraft(draft);
  await prepareDraft(ctx, draft, options, new Date());
  await requireClear(ctx, draft, options.force === true, 'A person can send it anyway in the console, or request it with `force: true`.');
  return draft;
}

/** Prepares a draft for sending; one with a schedule as a series, which begins at once and makes its turns in time. */
async function prepareDraft(ctx: Context, draft: Campaign, options: SendOptions, now: Date): Promise<Campaign> {
  await requireStrings(ctx, draft);
  if (!draft.schedule) return prepareStart(ctx, draft, options, now);
  return asSeries(await prepareStart(ctx, draft, { ...options, scheduledFor: null, abDecideAt: null }, now), draft.schedule, options, now);
}

/** Stores the started campaign. Resolves to false, having done nothing, when the draft was changed or archived since it was read, or is no draft any more. */
const start = ({ core }: Context, draft: Campaign, started: Campaign, keep: Keep<Campaign>): Promise<boolean> =>
  withReferenceLock(draft.projectId, async (session) => {
    await checkReferences(session, draft);
    await holdSender(session, started);
    const { _id, projectId, version } = draft;
    const filter = { _id, projectId, status: 'draft', version, archivedAt: null } as const;
    const { matchedCount } = await CampaignModel.updateOne(filter, { $set: startFields(started) }, { session });
    if (matchedCount === 0) return false;
    await wantNow(session, core, [startIntent(started)]);
    await announceStart(session, started);
    await keep(session, started);
    return true;
  });

/** The members that the start of a campaign sets. */
const STARTED = [
  'status',
  'testMode',
  'scheduledFor',
  'startedAt',
  'abDecideAt',
  'decide',
  'throttlePerMinute',
  'contentIds',
  'phase',
  'series',
  'timing',
  'rollout',
  'approvedFor',
] as const satisfies readonly (keyof Campaign)[];

const startFields = (started: Campaign) =>
  Object.fromEntries(STARTED.flatMap((name) => (started[name] === undefined ? [] : [[name, started[name]]])));

/** Prepares a campaign for sending or scheduling, and stores its content. Throws the reason why it cannot be sent. */
export async function prepareStart(ctx: Context, draft: Campaign, options: SendOptions, now: Date): Promise<Campaign> {
  if (ctx.project.disabledAt !== null) throw invalidState('The project is disabled');
  if (draft.audience === 'filter') treeOf(draft.filter);
  checkSubjects(draft);
  const { throttlePerMinute, decide, rollout } = options;
  const { scheduledFor, timing, abDecideAt } = await launchOf(ctx, draft, options, now);
  if (!ctx.testMode) checkSender(await sendersOf(ctx.core, ctx.project), draft);
  return {
    ...draft,
    ...(scheduledFor ? { status: 'scheduled', startedAt: null, phase: null } : { status: 'sending', startedAt: now, phase: 'starting' }),
    testMode: ctx.testMode,
    scheduledFor,
    throttlePerMinute,
    abDecideAt,
    ...(decide && draft.abSubjectB !== null && { decide }),
    ...(timing && { timing }),
    ...(rollout && { rollout: { steps: rollout } }),
    ...approvedOf(options),
    contentIds: await storeContents(ctx, draft, scheduledFor ?? now),
  };
}

const approvedOf = ({ approvedFor }: SendOptions) => (approvedFor === undefined ? {} : { approvedFor });

/** Throws 422 for a variant without the second subject of an A/B test: both groups would read the same there. */
function checkSubjects({ abSubjectB, variants }: Campaign): void {
  if (abSubjectB === null) return;
  const [lacking] = Object.entries(variants ?? {}).find(([, variant]) => !variant.abSubjectB) ?? [];
  if (lacking !== undefined)
    throw invalid(`variants.${lacking}.abSubjectB`, 'invalid_combination', 'Required: the campaign compares two subjects');
}

/** Decides when a campaign begins, and the rules for its send times. Throws 422 for an instant that cannot be. */
async function launchOf(
  ctx: Context,
  draft: Campaign,
  options: SendOptions,
  now: Date,
): Promise<Launch & { readonly scheduledFor: Date | null }> {
  const { localTime = null, throttlePerMinute, rollout = null } = options;
  const scheduledFor = localTime ? beginOf(localTime, now) : options.scheduledFor;
  const timing = timingOf(ctx.project, draft, localTime);
  if (rollout) requireSteps(draft, timing);
  const start = scheduledFor ?? now;
  const launch = { timing, scheduledFor, start, throttlePerMinute, rollout };
  if (draft.abSubjectB === null) return { ...launch, abDecideAt: null };
  const from = timing ? await lastSendTime(ctx.project, draft, timing, start) : start;
  return { ...launch, abDecideAt: decisionOf(options, start, from) };
}

/** Returns when the winner is chosen; `from` is the last send time of the sample. */
function decisionOf({ abDecideAt }: SendOptions, start: Date, from: Date): Date {
  if (!abDecideAt) return new Date(from.getTime() + DECIDE_AFTER_MS);
  if (abDecideAt <= start || abDecideAt.getTime() - start.getTime() > HORIZON_MS)
    throw invalid('abDecideAt', 'invalid_date', 'Must be after the start, by at most 365 days');
  if (abDecideAt > from || from.getTime() === start.getTime()) return abDecideAt;
  throw invalid('abDecideAt', 'invalid_date', `Must be after the last message of the sample, which may go out at ${from.toISOString()}`);
}

/** Plans a campaign as `sendCampaign` with these options would send it: a scheduled one as it is scheduled, a recurring one in its first turn. Throws as `sendCampaign` and `planCampaign`. */
export const planLaunch = (ctx: Context, id: string, options: SendOptions): Promise<CampaignFlight> =>
  planCampaign(ctx, id, (draft) => {
    const now = new Date();
    const turn = draft.schedule && { scheduledFor: startedSeries(draft.schedule, options, now).nextAt };
    return launchOf(ctx, draft, { ...options, ...turn }, now);
  });

function checkSender(senders: Senders, { fromEmail }: Campaign): void {
  const domain = domainOf(fromEmail);
  if (!senders.has(domain)) throw invalid('fromEmail', 'unverified_domain', unverifiedText(domain, senders));
}

/** Locks the domain that a live campaign sends from: of starting it and a concurrent deletion of the domain, one is refused. */
export async function holdSender(session: ClientSession, campaign: Campaign): Promise<void> {
  if (campaign.testMode) return;
  await lockReferences(session, campaign.projectId);
  checkSender(await sendersIn(session, campaign.projectId), campaign);
}

/** Returns the intent to start the workflow of a sending or scheduled campaign. */
export function startIntent(campaign: Campaign): StartIntent {
  if (isSeries(campaign)) return seriesIntent(campaign);
  const { _id: campaignId, projectId, scheduledFor, resendOf } = campaign;
  const input: CampaignSendInput = {
    campaignId,
    projectId,
    scheduledFor: scheduledFor && scheduledFor.toISOString(),
    ...(resendOf && { gathers: true }),
  };
  return {
    kind: 'start',
    workflow: 'campaignSend',
    workflowId: campaignWorkflowId(campaignId),
    input,
    summary: scheduledFor ? `Campaign, starts at ${scheduledFor.toISOString()}` : 'Campaign',
    attributes: { projectId, campaignId, ...(scheduledFor && { due: scheduledFor.toISOString() }) },
    lasts: true,
    orSignal: wantedSignal.name,
  };
}

/**
 * Cancels a campaign: once this has resolved, no further message of it is begun. Delivered messages stay sent; waiting recipients are skipped.
 * Throws `not_found`, `invalid_state` when it is neither scheduled nor sending.
 *
 * | killed                    | found                                   | happens                                                        |
 * |---------------------------|-----------------------------------------|----------------------------------------------------------------|
 * | before the commit         | the campaign as it was                  | the caller asks again                                          |
 * | after it                  | `cancelled`, the signal in the outbox   | the sweep sends the signal; its workflow finishes              |
 * | while messages are stopped | `cancelled`, some of them stopped       | its workflow stops the rest; none is tried meanwhile           |
 */
export async function cancelCampaign(ctx: Context, id: string): Promise<Campaign> {
  const { projectId } = ctx;
  const at = new Date();
  const reach = await reachedBy(await readCampaign(ctx, id));
  const cancelled = await inTransaction(async (session) => {
    const campaign = await CampaignModel.findOneAndUpdate(
      { _id: id, projectId, status: { $in: ['scheduled', 'sending'] } },
      { $set: { status: 'cancelled', heldReason: null }, $unset: { paused: 1 } },
      { session, returnDocument: 'after' },
    ).lean<Campaign>();
    if (!campaign) throw await notRunning(ctx, id);
    await announce(session, campaign, { what: 'cancelled', at }, reach);
    await forgetPages(id, session);
    await wantNow(session, ctx.core, [cancelIntent(campaign)]);
    return campaign;
  });
  // After the commit too: a page may have been claimed by one that read the campaign before.
  await forgetPages(id);
  await afterwards(ctx.core, 'Messages of a cancelled campaign are left to its workflow', () =>
    withdrawWaiting({ campaignId: id, projectId }, performance.now() + WITHDRAW_MS),
  );
  return cancelled;
}

const cancelIntent = (campaign: Campaign): SignalIntent => ({
  kind: 'signal',
  workflowId: workflowIdOf(campaign),
  signal: 'cancel',
  id: 'cancel',
});

async function notRunning(ctx: Context, id: string): Promise<Error> {
  const { status } = await readCampaign(ctx, id);
  return invalidState(`Only a scheduled or sending campaign can be cancelled; this one is ${status}`);
}
