import type { ClientSession } from 'mongoose';
import { derivedId } from '../../platform/core';
import { insertRows, perDatabase } from '../../platform/mongo';
import { htmlOf } from '../../records/emails';
import type { CampaignFigures, CampaignHappening } from '../../records/campaign-figures';
import { CampaignClickModel, CampaignLinkModel } from './link-model';
import type { CampaignClick } from './link-model';
import { CampaignModel } from './model';
import type { CampaignCounter, Campaign } from './model';
import { versionOfContent } from '../../rules/content-version';
import { LRUCache } from 'lru-cache';
import { writtenLinks } from '../../message/template';

/** Implements `CampaignFigures.count`. */
export async function countInCampaigns(happenings: readonly CampaignHappening[], session?: ClientSession): Promise<void> {
  const sums = new Map<string, { projectId: string; counts: Record<string, number> }>();
  for (const happening of happenings) {
    const { projectId, campaignId, first, undone = [], times = 1 } = happening;
    const counts: Record<string, number> = sums.get(campaignId)?.counts ?? {};
    addTo(counts, first, times);
    addTo(counts, undone, -times);
    addToContent(counts, happening);
    if (Object.keys(counts).length > 0) sums.set(campaignId, { projectId, counts });
  }
  const writes = [...sums].map(([campaignId, { projectId, counts }]) => ({
    updateOne: { filter: { _id: campaignId, projectId }, update: { $inc: counts } },
  }));
  if (writes.length > 0) await CampaignModel.collection.bulkWrite(writes, session ? { session } : {});
}

function addTo(counts: Record<string, number>, counters: readonly CampaignCounter[], by: number): void {
  for (const counter of counters) counts[`counters.${counter}`] = (counts[`counters.${counter}`] ?? 0) + by;
}

/** Adds to the counters by content, by which an experiment is decided. */
function addToContent(counts: Record<string, number>, happening: CampaignHappening): void {
  const { contentId = null, tried = false, first, undone = [], times = 1 } = happening;
  if (contentId === null) return;
  const add = (members: readonly string[], by: number): void => {
    for (const member of members) counts[`byContent.${contentId}.${member}`] = (counts[`byContent.${contentId}.${member}`] ?? 0) + by;
  };
  const isOfPeople = (counter: CampaignCounter): boolean => counter === 'opened' || counter === 'clicked';
  add([...(tried ? ['sent'] : []), ...first.filter(isOfPeople)], times);
  add(undone.filter(isOfPeople), -times);
}

/** Returns the id of the row that marks a link, as it is written in the content, as clicked in a message. */
export const clickId = (campaignId: string, emailId: string, url: string): string => `${campaignId}/${derivedId('clk', emailId, url)}`;

interface LinkClicks {
  readonly row: { readonly _id: string; readonly projectId: string; readonly campaignId: string; readonly url: string };
  readonly clicks: number;
  readonly mark: string;
  /** Which version of the content the message has. */
  readonly version: number;
  /** No person clicked it after all, as far as its clicks of the last moments show. */
  readonly isLeft: boolean;
}

const NONE: ReadonlyMap<string, number> = new Map();

async function linkClicks(happening: CampaignHappening): Promise<readonly LinkClicks[]> {
  const { projectId, campaignId, emailId, clicks = NONE, retracted = { clicks: NONE, stay: new Set<string>() } } = happening;
  const written = clicks.size + retracted.clicks.size > 0 ? await linksAsWritten(happening) : String;
  const counts = new Map<string, number>();
  const add = (rendered: string, by: number) => counts.set(written(rendered), (counts.get(written(rendered)) ?? 0) + by);
  for (const [rendered, count] of clicks) add(rendered, count);
  for (const [rendered, count] of retracted.clicks) add(rendered, -count);
  const left = new Set([...retracted.clicks.keys()].map(written));
  for (const rendered of retracted.stay) left.delete(written(rendered));
  return [...counts].map(([url, count]) => ({
    row: { _id: `${campaignId}/${derivedId('lnk', url)}`, projectId, campaignId, url },
    clicks: count,
    mark: clickId(campaignId, emailId, url),
    version: versionOfContent(happening.contentId),
    isLeft: left.has(url),
  }));
}

type Written = (url: string) => string;

const MOST_CONTENTS = 200;

const known = perDatabase(() => new LRUCache<string, Written>({ max: MOST_CONTENTS }));

/** Resolves to a function that maps a link of a message to that link as its content has it. A content never changes. */
async function linksAsWritten({ projectId, campaignId, contentId = null }: CampaignHappening): Promise<Written> {
  const key = contentId ?? campaignId;
  const before = known().get(key);
  if (before) return before;
  const [html] = contentId === null ? [] : await htmlOf([contentId]);
  const body = html ?? (await bodyOf(projectId, campaignId));
  if (body === null) return String;
  const written = writtenLinks(body);
  known().set(key, written);
  return written;
}

/** Reads the body of a campaign whose message does not name its content; null for a campaign that is gone. */
const bodyOf = async (projectId: string, campaignId: string): Promise<string | null> =>
  (await CampaignModel.findOne({ _id: campaignId, projectId }, { body: 1 }).lean<Pick<Campaign, 'body'>>())?.body ?? null;

/** Clicks are taken back within a minute, and counted soon after they were made. */
const RECENT_MS = 120_000;

async function countLinks(session: ClientSession, happenings: readonly CampaignHappening[]): Promise<void> {
  const all = (await Promise.all(happenings.map(linkClicks))).flat();
  if (all.length === 0) return;
  const known = await CampaignClickModel.collection
    .find<CampaignClick>({ _id: { $in: all.map(({ mark }) => mark) } }, { session })
    .toArray();
  const marked = new Map(known.map(({ _id, at }) => [_id, at]));
  const since = new Date(Date.now() - RECENT_MS);
  const isBack = ({ mark, isLeft }: LinkClicks): boolean => isLeft && (marked.get(mark) ?? since) > since;
  const isFresh = ({ mark, clicks, isLeft }: LinkClicks): boolean => !isLeft && clicks > 0 && !marked.has(mark);
  const at = new Date();
  const fresh = all.filter(isFresh).map(({ mark }) => ({ _id: mark, at }));
  await insertRows(CampaignClickModel, fresh, session);
  const back = all.filter(isBack).map(({ mark }) => mark);
  if (back.length > 0) await CampaignClickModel.collection.deleteMany({ _id: { $in: back } }, { session });
  const links = new Map<string, { readonly row: LinkClicks['row']; readonly counts: Record<string, number> }>();
  for (const clicked of all) {
    const { row, clicks, version } = clicked;
    const link = links.get(row._id) ?? { row, counts: {} };
    for (const part of ['', `byVersion.${version}.`]) {
      link.counts[`${part}clicks`] = (link.counts[`${part}clicks`] ?? 0) + clicks;
      link.counts[`${part}uniqueClicks`] = (link.counts[`${part}uniqueClicks`] ?? 0) + Number(isFresh(clicked)) - Number(isBack(clicked));
    }
    links.set(row._id, link);
  }
  const writes = [...links.values()].map(({ row: { _id, ...named }, counts }) => ({
    updateOne: { filter: { _id: _id }, update: { $inc: counts, $setOnInsert: named }, upsert: true },
  }));
  await CampaignLinkModel.collection.bulkWrite(writes, { session, ordered: false });
}

export const FIGURES: CampaignFigures = { count: countInCampaigns, countLinks };
