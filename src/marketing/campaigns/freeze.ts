import type { CampaignKey, CampaignPlan, NextRangeInput, Variant } from '../../contracts/campaign';
import { findContacts } from '../../audience/contacts';
import { languageChooser } from '../../rules/translations';
import { inTransaction, insertRows } from '../../platform/mongo';
import { getProject } from '../../records/projects';
import { completeSegments } from '../../audience/segments';
import { workersInPool } from '../../sending/deliver';
import { PAGES_AT_ONCE, pageRowsFor } from '../../rules/campaign-ranges';
import { sampleSize, variantAt } from '../../rules/ab-test';
import { lacksApproval } from '../../rules/approval-needed';
import { announceStart } from './announce';
import { audiencePage } from './audience';
import type { AudienceMember, AudiencePage } from './audience';
import { DEFAULT_SAMPLE_PERCENT } from './drafts';
import { campaignEmailIds, orderKeyOf, recipientIdOf, recipientsOf } from './walk';
import { CampaignModel, CampaignRecipientModel } from './model';
import type { Campaign, CampaignPause, CampaignRecipient } from './model';
import { segmentsOf } from './references';
import { planSteps } from './rollout';
import type { CampaignRollout } from './rollout';
import { holdRest, withSendTime, sinceOf, sendTimeFields, sendTimesAt } from './send-times';
import { LimitBook } from '../../records/person-limits';
import { limitsOf } from '../../rules/limits-of-mail';

const PAGE = 5_000;

/** The context that an activity gives to work over many rows. */
export interface BulkHost {
  readonly beat: () => void;
  readonly signal: AbortSignal;
}

/** The plan, but for the workers that share the campaign. */
type FrozenPlan = Omit<CampaignPlan, 'queues'>;

/** The size of its pages is stored before its phase. */
type FrozenCampaign = Campaign & { readonly pageRows: number };

const findSending = ({ campaignId, projectId }: CampaignKey): Promise<Campaign | null> =>
  CampaignModel.findOne({ _id: campaignId, projectId, status: 'sending' }).lean<Campaign>();

/** Starts sending a scheduled campaign whose time has come. Resolves to whether it is sending; a cancelled one is not. */
export async function beginCampaign({ campaignId, projectId }: CampaignKey, now: Date): Promise<boolean> {
  const begun = { $set: { status: 'sending', phase: 'starting', startedAt: now } } as const;
  const scheduled = { _id: campaignId, projectId, status: 'scheduled' } as const;
  await inTransaction(async (session) => {
    const campaign = await CampaignModel.findOneAndUpdate(scheduled, begun, { session, returnDocument: 'after' }).lean<Campaign>();
    if (campaign) await announceStart(session, campaign);
  });
  return (await findSending({ campaignId, projectId })) !== null;
}

/**
 * Freezes the audience: stores its recipients permanently. Resolves to the plan for sending; null when the campaign no longer sends.
 *
 * | killed                     | found                               | happens                                                              |
 * |----------------------------|-------------------------------------|----------------------------------------------------------------------|
 * | while pages are written    | some recipients, phase `freezing`   | continues at `frozenTo`; existing rows stay                          |
 * | after the last page        | all recipients, phase `freezing`    | the same, then counts                                                |
 * | while the sample is marked | phase `frozen`, a part of it marked | marks it again: the first n in the order of `_id`, the same each time |
 */
export async function freezeAudience(key: CampaignKey, host: BulkHost): Promise<FrozenPlan | null> {
  const campaign = await findSending(key);
  if (!campaign?.startedAt) return null;
  const wasFrozen = campaign.phase === 'frozen';
  if (!wasFrozen && !(await writeRecipients(campaign, campaign.startedAt, host))) return null;
  const frozen = await countFrozen(key, wasFrozen);
  return frozen && planOf(frozen, host);
}

async function writeRecipients(campaign: Campaign, startedAt: Date, { beat, signal }: BulkHost): Promise<boolean> {
  const key = { campaignId: campaign._id, projectId: campaign.projectId };
  const project = await getProject(campaign.projectId);
  await completeSegments(campaign.projectId, segmentsOf(campaign));
  const pageAfter = (after: string): Promise<AudiencePage> =>
    audiencePage(project, campaign, startedAt, after, campaign.timing && { email: 1, timezone: 1 });
  // From the document, not the heartbeat: after a restore of the database, only the document matches what is stored.
  let frozenTo = campaign.frozenTo ?? '';
  let page: AudiencePage | null = await pageAfter(frozenTo);
  while (page) {
    signal.throwIfAborted();
    const stillFreezing = {
      _id: campaign._id,
      projectId: campaign.projectId,
      status: 'sending',
      phase: { $in: ['starting', 'freezing'] },
    } as const;
    const { matchedCount } = await CampaignModel.updateOne(stillFreezing, { $set: { phase: 'freezing', frozenTo } });
    if (matchedCount === 0) return (await findSending(key)) !== null;
    const { members, next }: AudiencePage = page;
    const rows = recipientRows(campaign, startedAt, await withoutReached(campaign, members));
    // While a page is written, the next one is read.
    [, page] = await Promise.all([insertRows(CampaignRecipientModel, rows), next === null ? null : pageAfter(next)]);
    frozenTo = next ?? frozenTo;
    beat();
  }
  return true;
}

/** Returns recipients' rows in the order of their ids, so that rows inserted together are near each other in the index. */
function recipientRows(campaign: Campaign, startedAt: Date, members: readonly AudienceMember[]): readonly CampaignRecipient[] {
  const { _id: campaignId, projectId, abSubjectB, timing } = campaign;
  const common: Omit<CampaignRecipient, '_id' | 'contactId' | 'email' | 'emailId'> = {
    projectId,
    campaignId,
    variant: abSubjectB === null ? null : 'hold',
    status: 'pending',
    skipReason: null,
    createdAt: startedAt,
  };
  const emailIdOf = campaignEmailIds(startedAt, campaignId);
  const sendTimeOf = timing && sendTimesAt(timing, sinceOf(campaign, 'first', startedAt.getTime()));
  return members
    .map(({ _id: contactId, email, timezone }) => ({
      _id: recipientIdOf(campaignId, contactId),
      ...common,
      contactId,
      email,
      emailId: emailIdOf(contactId),
      ...(sendTimeOf && sendTimeFields(sendTimeOf(timezone))),
    }))
    .sort((left, right) => (left._id < right._id ? -1 : 1));
}

async function countFrozen({ campaignId, projectId }: CampaignKey, wasFrozen: boolean): Promise<FrozenCampaign | null> {
  const audienceSize = await CampaignRecipientModel.countDocuments({ _id: recipientsOf(campaignId) });
  // Messages of a campaign that was frozen before may have begun already, under claims of its pages as they were cut then.
  if (!wasFrozen) {
    const uncut = { _id: campaignId, projectId, pageRows: { $exists: false } };
    await CampaignModel.updateOne(uncut, { $set: { pageRows: pageRowsFor(audienceSize, await workersInPool()) } });
  }
  const paused = wasFrozen ? null : await pauseFor({ campaignId, projectId }, audienceSize);
  return CampaignModel.findOneAndUpdate(
    { _id: campaignId, projectId, status: 'sending' },
    { $set: { phase: 'frozen', audienceSize, ...(paused && { paused }) } },
    { returnDocument: 'after' },
  ).lean<FrozenCampaign>();
}

/** Resolves to the pause of a campaign whose audience has become larger than a person alone may decide: it begins once that is approved. */
async function pauseFor(key: CampaignKey, audienceSize: number): Promise<CampaignPause | null> {
  const [campaign, project] = await Promise.all([findSending(key), getProject(key.projectId)]);
  if (!campaign || campaign.testMode || !lacksApproval(project, audienceSize, campaign.approvedFor)) return null;
  return campaign.paused ?? { at: new Date(), until: null, retries: 'continue' };
}

async function planOf(campaign: FrozenCampaign, host: BulkHost): Promise<FrozenPlan> {
  const { audienceSize: total, throttlePerMinute, abDecideAt, abSubjectB, abSamplePct, pageRows, timing, rollout } = campaign;
  const plan = { total, throttlePerMinute, pagesAtOnce: PAGES_AT_ONCE, pageRows, ...(timing && { inTurns: true as const }) };
  if (rollout) return { ...plan, ab: null, rollout: await stepsOf(campaign, rollout) };
  if (abSubjectB === null || !abDecideAt) return { ...plan, ab: null };
  const sample = sampleSize(total, abSamplePct ?? DEFAULT_SAMPLE_PERCENT);
  const boundary = await markSample(campaign, sample, host);
  if (timing && boundary !== null) await holdRest({ ...campaign, timing }, boundary, host.beat);
  return { ...plan, ab: { sample, boundary, decideAt: abDecideAt.toISOString() } };
}

const stepsOf = (
  { _id: campaignId, projectId, audienceSize }: FrozenCampaign,
  rollout: CampaignRollout,
): Promise<NonNullable<CampaignPlan['rollout']>> => {
  const key = { campaignId, projectId };
  return planSteps(key, rollout, audienceSize, (rows) => positionAfter({ ...key, from: '', to: null, rows }));
};

/** Gives A and B alternately, within each language, to the first `size` recipients in their random order. Resolves to the position of the next one. */
async function markSample(campaign: FrozenCampaign, size: number, { beat, signal }: BulkHost): Promise<string | null> {
  const { _id: campaignId } = campaign;
  const groupsOf = sampleGroups(campaign);
  const counted = new Map<string | null, number>();
  const next = (group: string | null): Variant => {
    const index = counted.get(group) ?? 0;
    counted.set(group, index + 1);
    return variantAt(index);
  };
  let after = `${campaignId}/`;
  for (let marked = 0; ;) {
    signal.throwIfAborted();
    const rows: Sampled[] = await CampaignRecipientModel.find(
      { _id: { ...recipientsOf(campaignId), $gt: after } },
      { _id: 1, contactId: 1 },
    )
      .sort({ _id: 1 })
      .limit(Math.min(PAGE, size - marked) + 1)
      .lean<Sampled[]>();
    const page = rows.slice(0, Math.min(PAGE, size - marked));
    const groups = await groupsOf(page);
    const variants = page.map((_row, index) => next(groups[index] ?? null));
    for (const variant of ['a', 'b'] as const) {
      const ids = page.filter((_row, index) => variants[index] === variant).map(({ _id }) => _id);
      await CampaignRecipientModel.updateMany({ _id: { $in: ids }, campaignId }, { $set: { variant } });
    }
    marked += page.length;
    after = page.at(-1)?._id ?? after;
    beat();
    const following = rows[page.length];
    if (!following) return null;
    if (marked === size) return orderKeyOf(campaignId, following._id);
  }
}

type Sampled = Pick<CampaignRecipient, '_id' | 'contactId'>;

const NO_GROUPS: readonly (string | null)[] = [];

/** Returns what finds the languages of recipients, so that each subject is compared within each language; none for a campaign in one language. */
function sampleGroups({ projectId, variants }: FrozenCampaign): (rows: readonly Sampled[]) => Promise<readonly (string | null)[]> {
  if (!variants) return () => Promise.resolve(NO_GROUPS);
  const languageFor = languageChooser(Object.keys(variants));
  return async (rows) => {
    const contactIds = rows.map(({ contactId }) => contactId);
    const contacts = await findContacts(projectId, contactIds);
    return rows.map(({ contactId }) => languageFor(contacts.get(contactId)?.locale ?? null));
  };
}

/** Finds the end of a page of `rows` recipients that begins at `from`; null when there are no more before `to`. */
export async function positionAfter({ campaignId, from, to, rows, turn: sendTime }: NextRangeInput): Promise<string | null> {
  const until = to === null ? recipientsOf(campaignId).$lt : `${campaignId}/${to}`;
  const inTime = sendTime === undefined ? {} : withSendTime(campaignId, sendTime);
  const [next] = await CampaignRecipientModel.find({ ...inTime, _id: { $gte: `${campaignId}/${from}`, $lt: until } }, { _id: 1 })
    .sort({ _id: 1 })
    .skip(rows)
    .limit(1)
    .lean<{ _id: string }[]>();
  return next ? orderKeyOf(campaignId, next._id) : null;
}

/**
 * Leaves out of the audience of an evergreen turn those who have its message, or are about to. Turns of a series do not overlap; against all else, the send-once
 * key of the turns decides again when their messages are claimed.
 */
async function withoutReached(campaign: Campaign, members: readonly AudienceMember[]): Promise<readonly AudienceMember[]> {
  const { projectId, turn, testMode, sendOnce } = campaign;
  if (!turn?.evergreen || members.length === 0) return members;
  const limits = limitsOf({ type: 'marketing', source: 'campaign', topicId: null, testMode, sendOnce });
  const limitedOf = ({ _id }: AudienceMember) => ({ of: _id, limits });
  return inTransaction(async (session) => {
    const now = new Date();
    const book = await LimitBook.read(session, projectId, members.map(limitedOf), now);
    return members.filter((member) => 'at' in book.sendTime(limitedOf(member), now));
  });
}
