import { createHash } from 'node:crypto';
import { itemOf, shortened } from '../../message/feeds';
import type { Entry, Feed } from '../../message/feeds';
import type { Context } from '../../platform/core';
import { invalidState } from '../../platform/core';
import { chosenOf } from '../../rules/feed';
import type { FeedContent, FeedSettings } from '../../rules/feed';
import { cutText } from '../../rules/cut-text';
import { readFeed } from '../feeds';
import { readCampaign } from './drafts';
import type { Campaign } from './model';
import { CampaignTurnModel } from './turn-model';
import type { CampaignTurn, TurnItem } from './turn-model';
import { recipientsOf } from './walk';

const LONGEST_GUID = 1_000;
const LONGEST_TITLE = 300;

/** An entry with an id. */
type NamedEntry = Entry & { readonly guid: string };

/** Derives the id by which a series knows an entry again. */
const entryIdOf = (seriesId: string, guid: string): string => createHash('sha256').update(`${seriesId}\0${guid}`).digest('base64url');

/** Lists the entries that have an id of their own, each once. */
function namedEntries({ entries }: Feed): readonly NamedEntry[] {
  const byGuid = new Map<string, NamedEntry>();
  for (const entry of entries) if (entry.guid !== null && !byGuid.has(entry.guid)) byGuid.set(entry.guid, { ...entry, guid: entry.guid });
  return [...byGuid.values()];
}

async function freshEntries({ _id, projectId }: Campaign, entries: readonly NamedEntry[]): Promise<readonly NamedEntry[]> {
  const ids = entries.map(({ guid }) => entryIdOf(_id, guid));
  const filter = { _id: recipientsOf(_id), projectId, 'items.id': { $in: ids } };
  const rows = await CampaignTurnModel.find(filter, { items: 1 }).lean<Pick<CampaignTurn, 'items'>[]>();
  const sent = new Set(rows.flatMap(({ items = [] }) => items.map(({ id }) => id)));
  return entries.filter((_entry, at) => !sent.has(ids[at] ?? ''));
}

/** The entries of a feed that a turn sends, and those that it leaves. */
export interface ChosenItems {
  readonly content: FeedContent;
  readonly skipReason: 'nothing_new' | 'too_few_items' | null;
  /** The number of new entries that stay for later turns. */
  readonly left: number;
}

/** Chooses what the next turn of a campaign sends of a feed, as it was read. */
export async function chooseItems(
  campaign: Campaign,
  settings: FeedSettings,
  { feed, base }: { feed: Feed; base: URL },
): Promise<ChosenItems> {
  const chosen = chosenOf(await freshEntries(campaign, namedEntries(feed)), settings);
  return { ...chosen, content: contentOf(feed, chosen.taken, base) };
}

const contentOf = ({ title }: Feed, entries: readonly NamedEntry[], base: URL): FeedContent => ({
  title: shortened(title, LONGEST_TITLE),
  items: entries.map((entry) => itemOf(entry, base)),
});

/** Lists the entries of a turn as its row has them. */
export const turnItems = (seriesId: string, { items }: FeedContent): readonly TurnItem[] =>
  items.map(({ guid, title, url }) => ({ id: entryIdOf(seriesId, guid), guid: cutText(guid, LONGEST_GUID), title, url }));

/** The entries that the next turn of a campaign would send now. */
export interface FeedOutlook extends ChosenItems {
  /** Why the feed could not be read; null if it was. */
  readonly error: string | null;
}

const NOTHING: FeedOutlook = { content: { title: null, items: [] }, skipReason: null, left: 0, error: null };

/** Reads the feed of a campaign as its next turn would. Changes nothing. Throws `not_found`, and `invalid_state` for a campaign without a feed. */
export async function previewFeed(ctx: Context, id: string): Promise<FeedOutlook> {
  const campaign = await readCampaign(ctx, id);
  if (!campaign.feed) throw invalidState('This campaign has no feed');
  const reading = await readNow(ctx, campaign.feed);
  return 'error' in reading
    ? { ...NOTHING, error: reading.error }
    : { ...(await chooseItems(campaign, campaign.feed, reading)), error: null };
}

/**
 * Resolves to what a test of a campaign reads under `feed`: what its feed lists now, sent or not; for a turn, what it sends; null for any other campaign. Throws
 * `invalid_state` for a feed that cannot be read.
 */
export async function feedOfTest(ctx: Context, { feed, feedContent }: Campaign): Promise<FeedContent | null> {
  if (!feed) return feedContent ?? null;
  const reading = await readNow(ctx, feed);
  if ('error' in reading) throw invalidState(`The feed could not be read: ${reading.error}`);
  return contentOf(reading.feed, chosenOf(namedEntries(reading.feed), { ...feed, minItems: 1 }).taken, reading.base);
}

async function readNow(ctx: Context, { url }: FeedSettings): Promise<{ feed: Feed; base: URL } | { error: string }> {
  const reading = await readFeed(ctx, url, null);
  if (reading.kind === 'read') return reading;
  return { error: reading.kind === 'failed' ? reading.error : 'Its server gets too many calls; try again later' };
}
