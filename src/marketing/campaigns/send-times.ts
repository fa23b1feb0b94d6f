import type { CampaignKey, CampaignPageInput, SendTimeGroup, NextSendTimeInput, RecipientRange } from '../../contracts/campaign';
import type { Timing } from '../../contracts/send-windows';
import { findReaders } from '../../audience/contacts';
import { Clocks, zoneFor, sendTimeIn } from '../../rules/send-windows';
import type { Since, SendTime } from '../../rules/send-windows';
import { CampaignRecipientModel, CampaignModel } from './model';
import type { Campaign, CampaignRecipient } from './model';
import { recipientsOf, recipientIdOf } from './walk';
import type { Context, PageRequest, Position } from '../../platform/core';
import { soonest } from '../../platform/mongo';

const PAGE = 5_000;

/** Returns the send time of a contact in this zone. */
export type SendTimeOf = (timezone: string | null | undefined) => SendTime;

/** Returns the send times of recipients as of one instant; computes each zone once. */
export function sendTimesAt(timing: Timing, since: Since): SendTimeOf {
  const clocks = new Clocks();
  const known = new Map<string | null, SendTime>();
  return (timezone = null) => {
    let sendTime = known.get(timezone);
    if (sendTime === undefined) known.set(timezone, (sendTime = sendTimeIn(timing, zoneFor(timing, timezone, clocks), since, clocks)));
    return sendTime;
  };
}

/** Returns since when a recipient of a stage waits: the rest of an A/B test is held until its decision. */
export function sinceOf({ startedAt, abDecideAt }: Campaign, stage: 'first' | 'rest', now: number): Since {
  const start = startedAt?.getTime() ?? now;
  return { start, from: stage === 'rest' && abDecideAt ? Math.max(start, abDecideAt.getTime()) : start, now };
}

/** The send time of a recipient, checked again when it has come. */
export interface RecheckedSendTime {
  /** The next instant, where its window is closed by now, in milliseconds. */
  readonly later: number | null;
  readonly never: Extract<SendTime, { never: unknown }>['never'] | null;
}

/** Returns a check of the send times of a page's recipients, as of now or of the workflow's time, whichever is later: tests skip time. Null for a page without send times. */
export function recheckSendTimes(
  campaign: Campaign,
  { turn, winner }: Pick<CampaignPageInput, 'turn' | 'winner'>,
): ((timezone: string | null | undefined) => RecheckedSendTime) | null {
  if (!campaign.timing || !turn) return null;
  const now = Math.max(Date.now(), turn.now);
  const sendTimeOf = sendTimesAt(campaign.timing, sinceOf(campaign, winner === null ? 'first' : 'rest', now));
  return (timezone) => {
    const found = sendTimeOf(timezone);
    return 'never' in found ? { later: null, never: found.never } : { later: found.at > now ? found.at : null, never: null };
  };
}

type SendTimeFields = Pick<CampaignRecipient, 'status' | 'skipReason' | 'skipDetail' | 'turnAt'>;

/** Returns the fields of a recipient that hold its send time, or that it has none. */
export const sendTimeFields = (sendTime: SendTime): SendTimeFields =>
  'at' in sendTime
    ? { status: 'pending', skipReason: null, turnAt: new Date(sendTime.at) }
    : { status: 'skipped', skipReason: 'limit_reached', skipDetail: { window: sendTime.never } };

const rangeFilter = (campaignId: string, { from, to }: RecipientRange) => ({
  $gte: `${campaignId}/${from}`,
  $lt: to === null ? recipientsOf(campaignId).$lt : `${campaignId}/${to}`,
});

/** Returns the filter of recipients with a send time. The index on `turnAt` serves it. */
export const withSendTime = (campaignId: string, at: number) => ({ campaignId, turnAt: new Date(at) });

/** Finds the next send time of a range; null when all are done. Send times that move meanwhile only move to later. */
export async function nextSendTime({ campaignId, after, ...range }: NextSendTimeInput): Promise<SendTimeGroup | null> {
  const inRange = { campaignId, _id: rangeFilter(campaignId, range) };
  const filter = { ...inRange, turnAt: { $exists: true, ...(after !== null && { $gt: new Date(after) }) } };
  const [first] = await CampaignRecipientModel.find(filter, { turnAt: 1 }).sort({ turnAt: 1 }).limit(1).lean<{ turnAt: Date }[]>();
  if (!first) return null;
  const at = first.turnAt.getTime();
  return { at, rows: await CampaignRecipientModel.countDocuments({ ...inRange, ...withSendTime(campaignId, at) }) };
}

/** Moves the send times of recipients whose window has closed. */
export async function moveSendTimes(moved: ReadonlyMap<number, readonly string[]>): Promise<void> {
  const writes = [...moved].map(([at, ids]) => ({
    updateMany: { filter: { _id: { $in: [...ids] }, status: 'pending' as const }, update: { $set: { turnAt: new Date(at) } } },
  }));
  if (writes.length > 0) await CampaignRecipientModel.collection.bulkWrite(writes, { ordered: false });
}

/** Sets the send times of the rest of an A/B test, from a position on, to after the decision. Safe to repeat. */
export async function holdRest(campaign: Campaign & { readonly timing: Timing }, boundary: string, beat: () => void): Promise<void> {
  const { _id: campaignId, projectId, timing, startedAt } = campaign;
  const sendTimeOf = sendTimesAt(timing, sinceOf(campaign, 'rest', startedAt?.getTime() ?? 0));
  for (let from: string | null = `${campaignId}/${boundary}`; from !== null; beat()) {
    const rows: Pick<CampaignRecipient, '_id' | 'contactId'>[] = await CampaignRecipientModel.find(
      { _id: { $gte: from, $lt: recipientsOf(campaignId).$lt }, status: 'pending' },
      { contactId: 1 },
    )
      .sort({ _id: 1 })
      .limit(PAGE + 1)
      .lean<Pick<CampaignRecipient, '_id' | 'contactId'>[]>();
    const page = rows.slice(0, PAGE);
    const contactIds = page.map(({ contactId }) => contactId);
    const contacts = await findReaders(projectId, contactIds);
    const writes = page.map(({ _id, contactId }) => ({
      updateOne: { filter: { _id: _id }, update: { $set: sendTimeFields(sendTimeOf(contacts.get(contactId)?.timezone)) } },
    }));
    if (writes.length > 0) await CampaignRecipientModel.collection.bulkWrite(writes, { ordered: false });
    from = rows[PAGE]?._id ?? null;
  }
}

/** Finds the next send time of a sending campaign; null without any. */
export async function nextSendTimeAfter({ campaignId }: Pick<CampaignKey, 'campaignId'>, now: Date): Promise<Date | null> {
  const row = await CampaignRecipientModel.findOne({ _id: recipientsOf(campaignId), campaignId, turnAt: { $gt: now } }, { turnAt: 1 })
    .sort({ turnAt: 1 })
    .lean<{ turnAt: Date } | null>();
  return row && row.turnAt;
}

// A turn of a series, or the next step of a rollout, does not begin while the campaign is paused.
const notPausedAt = (instant: '$series.nextAt' | '$rollout.nextAt') => ({
  $or: [{ paused: { $exists: false } }, { $expr: { $lt: [{ $ifNull: ['$paused.until', instant] }, instant] } }],
});

/** The instants that lie ahead of campaigns, by what happens then. */
const INSTANTS = {
  campaign: { by: 'scheduledFor', of: { status: 'scheduled' } },
  campaign_turn: { by: 'series.nextAt', of: { status: 'sending', ...notPausedAt('$series.nextAt') } },
  rollout_step: { by: 'rollout.nextAt', of: { status: 'sending', ...notPausedAt('$rollout.nextAt') } },
  ab_decision: { by: 'abDecideAt', of: { status: { $in: ['scheduled', 'sending', 'sent'] }, abWinner: null } },
  pause_end: { by: 'paused.until', of: { status: 'sending' } },
} as const;

export type CampaignInstant = keyof typeof INSTANTS;

/** Lists upcoming instants of one kind, soonest first, under the IDs of their campaigns. */
export async function campaignInstants(
  { projectId }: Pick<Context, 'projectId'>,
  kind: CampaignInstant,
  campaignId: string | undefined,
  request: PageRequest,
  now: Date,
): Promise<readonly Position[]> {
  const { by, of } = INSTANTS[kind];
  const filter = { projectId, ...of, ...(campaignId !== undefined && { _id: campaignId }) };
  return (await soonest<Campaign>(CampaignModel, filter, { by }, request, now, { _id: 1 })).map(({ position }) => position);
}

/**
 * Finds when the next recipients of each campaign that is being sent by send times get their message; with a contact, when that contact does. In no order. It asks
 * for each such campaign, of which a project has few.
 */
export async function recipientInstants(
  { projectId }: Pick<Context, 'projectId'>,
  { campaignId, contactId }: { readonly campaignId?: string | undefined; readonly contactId?: string | undefined },
  now: Date,
): Promise<readonly Position[]> {
  const withSendTimes = { projectId, status: 'sending' as const, timing: { $exists: true }, series: { $exists: false } };
  const filter = { ...withSendTimes, ...(campaignId !== undefined && { _id: campaignId }) };
  const campaigns = await CampaignModel.find(filter, { paused: 1 }).lean<Pick<Campaign, '_id' | 'paused'>[]>();
  const found: Position[] = [];
  for (const { _id, paused } of campaigns) {
    if (paused?.until === null) continue;
    const from = paused && paused.until > now ? paused.until : now;
    const at = contactId === undefined ? await nextSendTimeAfter({ campaignId: _id }, from) : await sendTimeOfContact(_id, contactId, from);
    if (at) found.push({ at, id: _id });
  }
  return found;
}

async function sendTimeOfContact(campaignId: string, contactId: string, after: Date): Promise<Date | null> {
  const filter = { _id: recipientIdOf(campaignId, contactId), status: 'pending' as const, turnAt: { $gt: after } };
  const row = await CampaignRecipientModel.findOne(filter, { turnAt: 1 }).lean<Pick<CampaignRecipient, 'turnAt'>>();
  return row?.turnAt ?? null;
}
