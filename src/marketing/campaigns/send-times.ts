import type { CampaignKey, CampaignPageInput, CampaignTurn, NextTurnInput, RecipientRange } from '../../contracts/campaign';
import type { Timing } from '../../contracts/send-windows';
import { findReaders } from '../../audience/contacts';
import { Clocks, placeOf, turnIn } from '../../rules/send-windows';
import type { Since, Turn } from '../../rules/send-windows';
import { CampaignRecipientModel } from './model';
import type { Campaign, CampaignRecipient } from './model';
import { recipientsOf } from './walk';

const PAGE = 5_000;

/** Returns the turn of a contact in this zone. */
export type TurnOf = (timezone: string | null | undefined) => Turn;

/** Returns the turns of recipients as of one instant, each zone worked out once. */
export function turnsAt(timing: Timing, since: Since): TurnOf {
  const clocks = new Clocks();
  const known = new Map<string | null, Turn>();
  return (timezone = null) => {
    let turn = known.get(timezone);
    if (turn === undefined) known.set(timezone, (turn = turnIn(timing, placeOf(timing, timezone, clocks), since, clocks)));
    return turn;
  };
}

/** Returns since when a recipient of a stage waits: the rest of an A/B test is held until its decision. */
export function sinceOf({ startedAt, abDecideAt }: Campaign, stage: 'first' | 'rest', now: number): Since {
  const start = startedAt?.getTime() ?? now;
  return { start, from: stage === 'rest' && abDecideAt ? Math.max(start, abDecideAt.getTime()) : start, now };
}

/** The turn of a recipient that is judged again when its time has come. */
export interface JudgedTurn {
  /** The next instant, where its window is closed by now, in milliseconds. */
  readonly later: number | null;
  readonly never: Extract<Turn, { never: unknown }>['never'] | null;
}

/** Returns the turns of a page's recipients, as of now or of the workflow's time, whichever is later: tests skip time. Null of a page without turns. */
export function judgedTurns(
  campaign: Campaign,
  { turn, winner }: Pick<CampaignPageInput, 'turn' | 'winner'>,
): ((timezone: string | null | undefined) => JudgedTurn) | null {
  if (!campaign.timing || !turn) return null;
  const now = Math.max(Date.now(), turn.now);
  const turnOf = turnsAt(campaign.timing, sinceOf(campaign, winner === null ? 'first' : 'rest', now));
  return (timezone) => {
    const found = turnOf(timezone);
    return 'never' in found ? { later: null, never: found.never } : { later: found.at > now ? found.at : null, never: null };
  };
}

type TurnFields = Pick<CampaignRecipient, 'status' | 'skipReason' | 'skipDetail' | 'turnAt'>;

/** Returns the fields of a recipient that say when it is its turn, or that it never is. */
export const turnFields = (turn: Turn): TurnFields =>
  'at' in turn
    ? { status: 'pending', skipReason: null, turnAt: new Date(turn.at) }
    : { status: 'skipped', skipReason: 'limit_reached', skipDetail: { window: turn.never } };

const placesIn = (campaignId: string, { from, to }: RecipientRange) => ({
  $gte: `${campaignId}/${from}`,
  $lt: to === null ? recipientsOf(campaignId).$lt : `${campaignId}/${to}`,
});

/** Returns the filter of the recipients of a range whose turn is at an instant. The index of turns answers it. */
export const inTurn = (campaignId: string, at: number) => ({ campaignId, turnAt: new Date(at) });

/** Finds the next turn of a range; null when all are done. Turns that move meanwhile only move to later. */
export async function nextTurn({ campaignId, after, ...range }: NextTurnInput): Promise<CampaignTurn | null> {
  const places = { campaignId, _id: placesIn(campaignId, range) };
  const [first] = await CampaignRecipientModel.find(
    { ...places, turnAt: { $exists: true, ...(after !== null && { $gt: new Date(after) }) } },
    { turnAt: 1 },
  )
    .sort({ turnAt: 1 })
    .limit(1)
    .lean<{ turnAt: Date }[]>();
  if (!first) return null;
  const at = first.turnAt.getTime();
  return { at, rows: await CampaignRecipientModel.countDocuments({ ...places, ...inTurn(campaignId, at) }) };
}

/** Moves the turns of recipients whose window is closed by now. */
export async function moveTurns(moved: ReadonlyMap<number, readonly string[]>): Promise<void> {
  const writes = [...moved].map(([at, ids]) => ({
    updateMany: { filter: { _id: { $in: [...ids] }, status: 'pending' as const }, update: { $set: { turnAt: new Date(at) } } },
  }));
  if (writes.length > 0) await CampaignRecipientModel.collection.bulkWrite(writes, { ordered: false });
}

/** Gives the rest of an A/B test, from a place on, its turns after the decision. Safe to repeat. */
export async function holdRest(campaign: Campaign & { readonly timing: Timing }, boundary: string, beat: () => void): Promise<void> {
  const { _id: campaignId, projectId, timing, startedAt } = campaign;
  const turnOf = turnsAt(timing, sinceOf(campaign, 'rest', startedAt?.getTime() ?? 0));
  for (let from: string | null = `${campaignId}/${boundary}`; from !== null; beat()) {
    const rows: Pick<CampaignRecipient, '_id' | 'contactId'>[] = await CampaignRecipientModel.find(
      { _id: { $gte: from, $lt: recipientsOf(campaignId).$lt }, status: 'pending' },
      { contactId: 1 },
    )
      .sort({ _id: 1 })
      .limit(PAGE + 1)
      .lean<Pick<CampaignRecipient, '_id' | 'contactId'>[]>();
    const page = rows.slice(0, PAGE);
    const contacts = await findReaders(
      projectId,
      page.map(({ contactId }) => contactId),
    );
    const writes = page.map(({ _id, contactId }) => ({
      updateOne: { filter: { _id: _id }, update: { $set: turnFields(turnOf(contacts.get(contactId)?.timezone)) } },
    }));
    if (writes.length > 0) await CampaignRecipientModel.collection.bulkWrite(writes, { ordered: false });
    from = rows[PAGE]?._id ?? null;
  }
}

/** Finds when the next recipients of a sending campaign have their turn; null without any. */
export async function nextTurnAfter({ campaignId }: Pick<CampaignKey, 'campaignId'>, now: Date): Promise<Date | null> {
  const row = await CampaignRecipientModel.findOne({ _id: recipientsOf(campaignId), campaignId, turnAt: { $gt: now } }, { turnAt: 1 })
    .sort({ turnAt: 1 })
    .lean<{ turnAt: Date } | null>();
  return row && row.turnAt;
}
