import { atOneInstant } from '../../audience/contacts';
import type { Core } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import type { CampaignKey, FinishInput, FinishResult } from '../../contracts/campaign';
import { campaignMessages, countCampaignMessages, keepContents, wasTried } from '../../records/emails';
import type { CampaignCounts } from '../../records/emails';
import { announce, setHeldReason } from './announce';
import { CampaignClickModel, CampaignLinkModel } from './link-model';
import { CampaignModel, CampaignRecipientModel } from './model';
import type { Campaign, CampaignCounter, CampaignRecipient } from './model';
import { forgetPages } from './page-claims';
import { contentsOf } from './contents';
import { versionOf } from './revise';
import { CampaignTurnModel } from './turn-model';
import { noteWaiting } from './providers';
import { reachedBy } from './reached';
import { recipientPages, recipientsOf } from './walk';
import { withdrawWaiting } from './page-source';

const PAGE = 5_000;
const SNAPSHOT = { readConcern: { level: 'snapshot' } } as const;

interface Tally {
  readonly campaign: Campaign | null;
  readonly counts: CampaignCounts;
  readonly total: number;
  readonly skipped: number;
}

/**
 * Ends a campaign and recounts everything from recipients and messages. Does not end one with recipients who are neither sent nor skipped:
 * the caller sends to them first. Skips the waiting recipients of a cancelled one.
 *
 * | killed                      | found                               | happens                                                              |
 * |-----------------------------|-------------------------------------|----------------------------------------------------------------------|
 * | before the last write       | status as it was, some rows skipped | all of it again: rows that were skipped and messages that were stopped stay so |
 * | after it                    | `sent`, or `cancelled` and counted  | nothing: what differed was added once, with the status               |
 * | the documents since then    | a campaign that must still be sent  | `behind`: its workflow begins again, from the documents              |
 */
export async function finishCampaign(core: Pick<Core, 'log'>, input: FinishInput, beat: () => void): Promise<FinishResult> {
  const stands = await standing(input);
  if (stands) return stands;
  if (input.cancelled) await cancelRest(input, beat);
  const found = await tally(input);
  const { campaign, counts, total, skipped } = found;
  const pending = input.cancelled ? 0 : Math.max(0, total - counts.tried - skipped);
  const result = { pending, sent: counts.tried, skipped };
  if (!campaign || pending > 0) return pendingStill(input, result);
  await keepContents(contentsOf(campaign), new Date(input.now));
  const ended = await end(core, input, campaign, found);
  if (ended) await forgetPages(input.campaignId);
  // Cancelled meanwhile: waiting recipients are skipped.
  if (!ended && (await isCancelled(input))) return finishCampaign(core, { ...input, cancelled: true }, beat);
  return result;
}

/** Recipients wait because of a frequency cap. */
const CAPPED = 'frequency_cap';

async function pendingStill({ campaignId, projectId, capped, refused }: FinishInput, result: FinishResult): Promise<FinishResult> {
  if (result.pending === 0) return result;
  if (refused) await noteWaiting({ campaignId, projectId }, refused);
  else if (capped) await setHeldReason(campaignId, CAPPED);
  return result;
}

const isCancelled = async ({ campaignId, projectId }: CampaignKey): Promise<boolean> =>
  (await CampaignModel.exists({ _id: campaignId, projectId, status: 'cancelled' })) !== null;

async function end(
  core: Pick<Core, 'log'>,
  { now, cancelled }: FinishInput,
  campaign: Campaign,
  { counts, total, skipped }: Tally,
): Promise<boolean> {
  const { _id, projectId } = campaign;
  const drift = { ...driftOf(campaign, counts), ...variantDrift(campaign, counts) };
  const at = new Date(now);
  const counted = { endedAt: at, audienceSize: total, sentCount: counts.tried, skippedCount: skipped, heldReason: null, phase: null };
  const running = { _id, projectId, status: cancelled ? ('cancelled' as const) : ('sending' as const) };
  const over = {
    $set: { ...(!cancelled && { status: 'sent' as const, sentAt: at }), ...counted },
    $unset: { paused: 1, refused: 1 },
    $inc: drift,
  };
  const isOver = await inTransaction(async (session) => {
    const ended = await CampaignModel.findOneAndUpdate(running, over, { session, returnDocument: 'after' }).lean<Campaign>();
    if (ended && !cancelled) await announce(session, ended, { what: 'sent', at }, { sent: counts.tried, skipped });
    return ended !== null;
  });
  if (isOver && Object.keys(drift).length > 0) core.log.info({ campaignId: _id, drift }, 'Campaign counters were corrected');
  return isOver || cancelled;
}

/** Counts everything as of one instant: concurrent counts are in neither side of a difference. */
const tally = ({ campaignId, projectId }: CampaignKey): Promise<Tally> =>
  atOneInstant(async (session) => {
    const options = { session, ...SNAPSHOT };
    const campaign = await CampaignModel.collection.findOne<Campaign>({ _id: campaignId, projectId }, options);
    const counts = await countCampaignMessages(session, projectId, campaignId);
    const recipients = CampaignRecipientModel.collection;
    const total = await recipients.countDocuments({ _id: recipientsOf(campaignId) }, options);
    const skipped = await recipients.countDocuments({ _id: recipientsOf(campaignId), campaignId, status: 'skipped' }, options);
    return { campaign, counts, total, skipped };
  });

type Drift = Readonly<Record<string, number>>;

function driftOf({ counters }: Campaign, counts: CampaignCounts): Drift {
  const names = Object.keys(counters) as CampaignCounter[];
  return differing(names.map((name) => [`counters.${name}`, counts[name] - (counters[name] ?? 0)]));
}

/** Computes how far the stored counters of an experiment's variants, and of the versions of a content, are off. */
function variantDrift(campaign: Campaign, counts: CampaignCounts): Drift {
  const { contentIds, byContent = {} } = campaign;
  if (!contentIds || (contentIds.b === null && versionOf(campaign) === 1)) return {};
  return differing(
    [...new Set(contentsOf(campaign))].flatMap((id) =>
      VARIANT_COUNTERS.map((name) => [`byContent.${id}.${name}`, (counts.byContent.get(id)?.[name] ?? 0) - (byContent[id]?.[name] ?? 0)]),
    ),
  );
}

const VARIANT_COUNTERS = ['sent', 'opened', 'clicked'] as const;

const differing = (differences: readonly (readonly [string, number])[]): Drift =>
  Object.fromEntries(differences.filter(([, by]) => by !== 0));

async function cancelRest({ campaignId, projectId }: CampaignKey, beat: () => void): Promise<void> {
  // Not cancelled yet when an operator cancelled the workflow.
  const running = { _id: campaignId, projectId, status: { $in: ['scheduled', 'sending'] } } as const;
  const at = new Date();
  const before = await CampaignModel.findOne(running).lean<Campaign>();
  const reach = before ? await reachedBy(before) : undefined;
  await inTransaction(async (session) => {
    const cancelled = { $set: { status: 'cancelled', heldReason: null } } as const;
    const campaign = await CampaignModel.findOneAndUpdate(running, cancelled, { session, returnDocument: 'after' }).lean<Campaign>();
    if (campaign) await announce(session, campaign, { what: 'cancelled', at }, reach);
  });
  // Pages claimed from now on find the campaign cancelled; under an earlier claim, nothing may begin after its recipients were skipped.
  await forgetPages(campaignId);
  await withdrawWaiting({ campaignId, projectId }, Number.POSITIVE_INFINITY);
  for await (const rows of recipientPages({ campaignId, projectId, size: PAGE })) {
    await skipUntried({ campaignId, projectId }, rows);
    beat();
  }
}

async function skipUntried({ campaignId, projectId }: CampaignKey, rows: readonly CampaignRecipient[]): Promise<void> {
  const pending = rows.filter(({ status }) => status === 'pending');
  const emailIds = pending.map(({ emailId }) => emailId);
  const messages = await campaignMessages(projectId, campaignId, emailIds);
  const untried = pending.filter(({ emailId }) => {
    const message = messages.get(emailId);
    return !message || !wasTried(message);
  });
  if (untried.length === 0) return;
  await CampaignRecipientModel.updateMany(
    { _id: { $in: untried.map(({ _id }) => _id) }, projectId, status: 'pending' },
    { $set: { status: 'skipped', skipReason: 'cancelled' } },
  );
}

/** Removes the recipients and clicks of a deleted campaign. Safe to repeat. Leaves alone a campaign that exists again after a restore of the database. */
export async function removeCampaign({ campaignId, projectId }: CampaignKey, beat: () => void): Promise<void> {
  if (await CampaignModel.exists({ _id: campaignId, projectId })) return;
  for (let left = true; left; beat()) {
    const ids = await CampaignRecipientModel.find({ _id: recipientsOf(campaignId), projectId }, { _id: 1 })
      .limit(PAGE)
      .lean<{ _id: string }[]>();
    await CampaignRecipientModel.deleteMany({ _id: { $in: ids.map(({ _id }) => _id) } });
    left = ids.length === PAGE;
  }
  await forgetPages(campaignId);
  await CampaignClickModel.deleteMany({ _id: recipientsOf(campaignId) });
  await CampaignLinkModel.deleteMany({ _id: recipientsOf(campaignId), projectId });
  await CampaignTurnModel.deleteMany({ _id: recipientsOf(campaignId), projectId });
}

const NOTHING: FinishResult = { pending: 0, sent: 0, skipped: 0 };

const FIELDS = { status: 1, phase: 1, sentCount: 1, skippedCount: 1, abSubjectB: 1, abWinner: 1, abDecideAt: 1 } as const;
type Standing = Pick<Campaign, keyof typeof FIELDS>;

const read = ({ campaignId, projectId }: CampaignKey): Promise<Standing | null> =>
  CampaignModel.findOne({ _id: campaignId, projectId }, FIELDS).lean<Standing>();

/**
 * Resolves to the answer to a workflow that wants to end its campaign, when no count is needed; null when it must be counted. After a restore
 * the documents may be older than the workflow: the campaign may have sent less, be a draft again, or not exist.
 */
async function standing({ cancelled, found, ...key }: FinishInput): Promise<FinishResult | null> {
  const campaign = await read(key);
  if (!campaign || campaign.status === 'draft') return cancelled ? NOTHING : null;
  // A cancel by a person applies in any state.
  const isAsked = cancelled && found !== true;
  if (!isAsked && isBehind(campaign, found === true)) return { ...NOTHING, pending: 1, behind: true };
  return campaign.status === 'sent' && cancelled ? sentAlready(campaign) : null;
}

/** Returns whether the documents are behind the workflow: still sending when it was found to be over, or without an audience when everything was sent. */
const isBehind = ({ status, phase }: Standing, found: boolean): boolean =>
  status === 'scheduled' || (status === 'sending' && (found || phase !== 'frozen'));

function sentAlready(campaign: Standing): FinishResult {
  const { sentCount: sent, skippedCount: skipped, abDecideAt } = campaign;
  const decideAt = (abDecideAt ?? new Date(0)).toISOString();
  return { pending: 0, sent, skipped, ...(isUndecided(campaign) && { decideAt }) };
}

const isUndecided = ({ abSubjectB, abWinner }: Standing): boolean => abSubjectB !== null && abWinner === null;

/** Resolves to whether nothing is left to do for a campaign that was started. */
export async function isCampaignOver(key: CampaignKey): Promise<boolean> {
  const campaign = await read(key);
  switch (campaign?.status) {
    case 'scheduled':
    case 'sending':
      return false;
    case 'sent':
      return !isUndecided(campaign);
    case 'cancelled':
      return campaign.phase === null;
    default:
      return true;
  }
}

/** Resolves to whether a series makes no more turns. One that was cancelled has its workflow note that it is over. */
export async function isSeriesOver(key: CampaignKey): Promise<boolean> {
  const campaign = await read(key);
  return campaign?.status !== 'sending' && (campaign?.status !== 'cancelled' || campaign.phase === null);
}

/** Resolves to whether nothing is left of a deleted campaign; one that exists again after a restore of the database keeps its data. */
export async function isCampaignRemoved({ campaignId, projectId }: CampaignKey): Promise<boolean> {
  if (await CampaignModel.exists({ _id: campaignId, projectId })) return true;
  const of = { _id: recipientsOf(campaignId) };
  const left = [
    CampaignRecipientModel.exists(of),
    CampaignClickModel.exists(of),
    CampaignLinkModel.exists(of),
    CampaignTurnModel.exists(of),
  ];
  return (await Promise.all(left)).every((found) => found === null);
}
