import type { Erased, MailTrace } from '../../records/emails';
import { erasedAddress } from '../../platform/addresses';
import { chunks } from '../../platform/async';
import { clickId } from './counters';
import { campaignEmailId, recipientIdOf, recipientsOf } from './walk';
import { CampaignClickModel, CampaignLinkModel } from './link-model';
import type { CampaignClick, CampaignLinkRow } from './link-model';
import { CampaignModel, CampaignRecipientModel } from './model';
import type { Campaign, CampaignRecipient } from './model';
import type { QueryFilter } from 'mongoose';
import { removeClaims } from '../../records/emails';
import { removePage } from '../../platform/mongo';
import { forgetPages } from './page-claims';
import { contentsOf } from './contents';

/** Ids in a query: a project may have had many campaigns. */
const IDS = 1_000;

/** Derives the ids that a person's rows in the audiences of campaigns would have, some for each query. */
async function recipientIdsOf({ projectId, contactId }: Pick<Erased, 'projectId' | 'contactId'>): Promise<readonly (readonly string[])[]> {
  const withAudience = { projectId, startedAt: { $gt: new Date(0) }, audienceRemovedAt: null };
  const campaigns = await CampaignModel.find(withAudience, { _id: 1 }).lean<Pick<Campaign, '_id'>[]>();
  const recipientIds = campaigns.map(({ _id }) => recipientIdOf(_id, contactId));
  return chunks(recipientIds, IDS);
}

/** Reads a person's rows in the audiences of campaigns. */
export async function recipientRowsOf(person: Pick<Erased, 'projectId' | 'contactId'>): Promise<CampaignRecipient[]> {
  const rows: CampaignRecipient[] = [];
  for (const ids of await recipientIdsOf(person)) {
    rows.push(...(await CampaignRecipientModel.find({ _id: { $in: [...ids] }, projectId: person.projectId }).lean<CampaignRecipient[]>()));
  }
  return rows;
}

/** Replaces a person's address in the audiences of campaigns. Resolves to how many rows it changed. */
export async function eraseRecipients({ projectId, contactId, address }: Erased): Promise<number> {
  let changed = 0;
  for (const ids of await recipientIdsOf({ projectId, contactId })) {
    const filter = { _id: { $in: [...ids] }, projectId, email: address };
    changed += (await CampaignRecipientModel.updateMany(filter, { $set: { email: erasedAddress(contactId) } })).modifiedCount;
  }
  return changed;
}

/** Lists the ids that a person's messages of unfinished campaigns have or would have. */
export async function mailIdsUnderWay(projectId: string, contactId: string): Promise<readonly string[]> {
  const filter = { projectId, status: { $in: ['sending', 'cancelled'] as Campaign['status'][] } };
  const campaigns = await CampaignModel.find(filter, { startedAt: 1 }).lean<Pick<Campaign, '_id' | 'startedAt'>[]>();
  return campaigns.flatMap(({ _id, startedAt }) => (startedAt ? [campaignEmailId(startedAt, _id, contactId)] : []));
}

/** Replaces links that were personal to the erased person: no author wrote them, and no one else clicked them. Their clicks stay counted. */
export async function eraseLinks({ projectId }: Pick<Erased, 'projectId'>, traces: readonly MailTrace[]): Promise<void> {
  for (const { _id, campaignId, clickedAt } of traces) {
    if (campaignId && clickedAt) await eraseClicked(projectId, campaignId, _id);
  }
}

const PAGE = 1_000;

async function eraseClicked(projectId: string, campaignId: string, emailId: string): Promise<void> {
  const written = await textsOf(projectId, campaignId);
  const isWritten = (url: string): boolean => written.some((text) => text.includes(url) || text.includes(url.replaceAll('&', '&amp;')));
  let range: Readonly<Record<string, string>> | null = recipientsOf(campaignId);
  while (range) {
    const links: CampaignLinkRow[] = await CampaignLinkModel.find({ _id: range, projectId }).sort({ _id: 1 }).limit(PAGE).lean();
    const own = links.filter(({ url, uniqueClicks }) => uniqueClicks === 1 && !isWritten(url));
    for (const { _id } of await clickedIn(campaignId, emailId, own)) {
      await CampaignLinkModel.updateOne({ _id }, { $set: { url: `https://erased.invalid/${_id.slice(campaignId.length + 1)}` } });
    }
    range = links.length === PAGE ? { ...range, $gt: links.at(-1)?._id ?? '' } : null;
  }
}

/** Reads the texts of a campaign whose links are nobody's own: its HTML and the entries of its feed. */
async function textsOf(projectId: string, campaignId: string): Promise<readonly string[]> {
  const fields = { body: 1, feedContent: 1 } as const;
  const campaign = await CampaignModel.findOne({ _id: campaignId, projectId }, fields).lean<Pick<Campaign, keyof typeof fields>>();
  if (!campaign) return [];
  return [campaign.body, ...(campaign.feedContent?.items ?? []).flatMap(({ url, html }) => [url ?? '', html ?? ''])];
}

async function clickedIn(campaignId: string, emailId: string, links: readonly CampaignLinkRow[]): Promise<readonly CampaignLinkRow[]> {
  const marks = new Map(links.map((link) => [clickId(campaignId, emailId, link.url), link]));
  if (marks.size === 0) return [];
  const found = await CampaignClickModel.find({ _id: { $in: [...marks.keys()] } }).lean<CampaignClick[]>();
  return found.flatMap(({ _id }) => marks.get(_id) ?? []);
}

/** Campaigns at a time: few are that old and still have an audience. */
const CAMPAIGNS = 20;

const withAudience = (projectId: string, before: Date): QueryFilter<Campaign> => ({
  projectId,
  startedAt: { $gt: new Date(0), $lt: before },
  audienceRemovedAt: null,
});

/** Finds campaigns of a project that began before an instant and still have an audience: they may be recounted, so their messages are kept. */
export async function withAudienceSince(projectId: string, before: Date): Promise<readonly string[]> {
  const rows = await CampaignModel.find(withAudience(projectId, before), { _id: 1 }).lean<Pick<Campaign, '_id'>[]>();
  return rows.map(({ _id }) => _id);
}

/** Finds which of the contents scheduled or sending campaigns use. */
export async function contentsOfUnfinished(projectId: string, ids: readonly string[]): Promise<readonly string[]> {
  const filter: QueryFilter<Campaign> = { projectId, status: { $in: ['scheduled', 'sending'] } };
  const rows = await CampaignModel.find(filter, { contentIds: 1, revisions: 1 }).lean<Pick<Campaign, 'contentIds' | 'revisions'>[]>();
  const used = new Set(rows.flatMap(contentsOf));
  return ids.filter((id) => used.has(id));
}

/** Deletes a page of the per-recipient data of a project's campaign that ended before an instant. Its counters and its links stay. */
export async function removeOldAudiences(projectId: string, before: Date, now: Date, limit: number): Promise<number> {
  const filter: QueryFilter<Campaign> = {
    ...withAudience(projectId, before),
    status: { $in: ['sent', 'cancelled'] },
    // A campaign without it was cancelled, and its workflow still has to count.
    endedAt: { $lt: before },
  };
  const campaigns = await CampaignModel.find(filter, { _id: 1 }).sort({ startedAt: 1 }).limit(CAMPAIGNS).lean<Pick<Campaign, '_id'>[]>();
  let removed = 0;
  for (const campaign of campaigns) removed += await removeOf(campaign._id, now, limit);
  return removed;
}

async function removeOf(_id: string, now: Date, limit: number): Promise<number> {
  const range = { _id: recipientsOf(_id) };
  const found =
    (await removePage(CampaignRecipientModel, range as never, limit)) + (await removePage(CampaignClickModel, range as never, limit));
  if (found > 0) return found;
  await forgetPages(_id);
  await removeClaims(_id);
  await CampaignModel.updateOne({ _id }, { $set: { audienceRemovedAt: now } });
  return 1;
}
