import type { ClientSession } from 'mongoose';
import { compileContent } from '../../message/template';
import { domainOf } from '../../platform/addresses';
import type { Context } from '../../platform/core';
import { findNamed } from '../../platform/mongo';
import { fieldsRead, segmentRefs, conditionsIn } from '../../rules/conditions/inventory';
import { parseConditions } from '../../rules/conditions/parse';
import { CampaignModel, CampaignRecipientModel } from './model';
import type { Translation } from '../../rules/translations';
import type { Campaign } from './model';
import { treeOf } from './refusals';
import { findShowing } from '../../sending/files';
import type { FileSearch, FileUse } from '../../sending/files';
import type { Leaving } from '../../audience/topics';
import { messagesThere } from '../../records/emails';
import { recipientIdOf } from './walk';
import { takePageOf } from './page-claims';

/** Finds which of the ids are campaigns of the project. */
export async function existingCampaigns(
  session: ClientSession | null,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await CampaignModel.find({ _id: { $in: [...ids] }, projectId }, { _id: 1 }, { session }).lean<Pick<Campaign, '_id'>[]>();
  return new Set(rows.map(({ _id }) => _id));
}

/** Finds the name of an unfinished campaign whose audience or filter refers to a segment; null when there is none. */
export async function campaignUsing(session: ClientSession, projectId: string, segmentId: string): Promise<string | null> {
  const mayUse = [{ audience: 'segment' as const, segmentId }, { audience: 'filter' as const }];
  const unfinished = { projectId, status: { $in: ['draft' as const, 'scheduled' as const, 'sending' as const] }, $or: mayUse };
  const rows = await CampaignModel.find(unfinished, { name: 1, segmentId: 1, filter: 1, audience: 1 }, { session }).lean<Campaign[]>();
  return rows.find((campaign) => segmentsOf(campaign).includes(segmentId))?.name ?? null;
}

/** Lists the segments that an audience or its filter refers to. */
export function segmentsOf({ audience, segmentId, filter }: Pick<Campaign, 'audience' | 'segmentId' | 'filter'>): readonly string[] {
  if (audience === 'segment') return segmentId === null ? [] : [segmentId];
  if (audience !== 'filter' || filter === null) return [];
  const parsed = parseConditions(filter);
  return 'ok' in parsed ? segmentRefs(parsed.ok) : [];
}

/** Finds the name of a scheduled or sending campaign from a domain; null when there is none. */
export async function campaignSendingFrom(session: ClientSession, projectId: string, domain: string): Promise<string | null> {
  const running = { projectId, status: { $in: ['scheduled', 'sending'] } } as const;
  const rows = await CampaignModel.find(running, { name: 1, fromEmail: 1 }, { session }).lean<Pick<Campaign, 'name' | 'fromEmail'>[]>();
  return rows.find(({ fromEmail }) => domainOf(fromEmail) === domain)?.name ?? null;
}

const READ = ['subject', 'abSubjectB', 'previewText', 'body', 'variants', 'audience', 'filter'] as const;

type Readable = Pick<Campaign, (typeof READ)[number]>;

/** Finds campaigns whose content or filter reads a custom field of contacts, newest first. One that reads `data` as a whole counts when it names the field. */
export const campaignsReading = ({ projectId }: Context, field: string): Promise<readonly Pick<Campaign, '_id' | 'name'>[]> =>
  findNamed(CampaignModel, {
    filter: { projectId },
    members: READ,
    isWanted: (campaign) => filterReads(campaign, field) || contentReads(campaign, field),
  });

const filterReads = ({ audience, filter }: Readable, field: string): boolean =>
  audience === 'filter' && filter !== null && fieldsRead(treeOf(filter)).includes(field);

const contentReads = (campaign: Readable, field: string): boolean =>
  [campaign, ...Object.values(campaign.variants ?? {})].some((content) => textsRead(content, field));

function textsRead({ subject, abSubjectB, previewText = null, body }: Translation, field: string): boolean {
  const text = [subject, abSubjectB ?? '', previewText ?? '', body].join('\n');
  if (!text.includes(field)) return false;
  return [subject, abSubjectB ?? ''].some((line) => {
    const { placeholders, dataKeys } = compileContent({ subject: line, html: body, text: null, previewText });
    return placeholders.includes('data') && (dataKeys?.has(field) ?? true);
  });
}

/** Lists campaigns that show a picture, newest first, including those that were sent: their mail loads it when it is opened. */
export const campaignsShowing = (search: FileSearch): Promise<FileUse[]> => findShowing(CampaignModel.collection, 'campaign', search);

/** Finds the name of an unfinished campaign of a topic, or whose filter asks about it; null when there is none. */
export async function campaignOfTopic(
  session: ClientSession,
  projectId: string,
  { _id, key }: { readonly _id: string; readonly key: string },
): Promise<string | null> {
  const mayAsk = [{ 'topic.topicId': _id }, { audience: 'filter' as const }];
  const unfinished = { projectId, status: { $in: ['draft' as const, 'scheduled' as const, 'sending' as const] }, $or: mayAsk };
  const rows = await CampaignModel.find(unfinished, { name: 1, topic: 1, filter: 1, audience: 1 }, { session }).lean<Campaign[]>();
  return rows.find((campaign) => campaign.topic?.topicId === _id || asksAbout(campaign, key))?.name ?? null;
}

const asksAbout = ({ audience, filter }: Pick<Campaign, 'audience' | 'filter'>, key: string): boolean =>
  audience === 'filter' &&
  filter !== null &&
  conditionsIn(treeOf(filter)).some((condition) => condition.on === 'topic' && condition.key === key);

/**
 * Removes contacts that left their topics, or all marketing mail (null), from what campaigns have read and not begun: they are read again. When it has
 * resolved, no such message is begun for them. A message that has begun is left alone.
 */
export async function takeFromPages(_core: unknown, projectId: string, { people, topicIds }: Leaving): Promise<void> {
  const contactIds = people.flatMap(({ contactId }) => contactId ?? []);
  if (contactIds.length === 0) return;
  const filter = { projectId, status: 'sending', ...(topicIds && { 'topic.topicId': { $in: [...topicIds] } }) } as const;
  const campaigns = await CampaignModel.find(filter, { _id: 1 }).lean<Pick<Campaign, '_id'>[]>();
  for (const { _id: campaignId } of campaigns) {
    const pending = await CampaignRecipientModel.find(
      { _id: { $in: contactIds.map((id) => recipientIdOf(campaignId, id)) }, status: 'pending' },
      { emailId: 1 },
    ).lean<{ _id: string; emailId: string }[]>();
    const emailIds = pending.map(({ emailId }) => emailId);
    const begun = await messagesThere({ projectId, campaignId }, emailIds);
    for (const { _id, emailId } of pending) if (!begun.has(emailId)) await takePageOf(campaignId, _id);
  }
}
