import type { Context } from '../../platform/core';
import { invalidState, storedJson } from '../../platform/core';
import { changedVariants } from '../../sending/templates';
import type { TranslationChanges } from '../../rules/translations';
import { versionOfContent } from '../../rules/content-version';
import { lacksApproval } from '../../rules/approval-needed';
import { sameJson } from '../../rules/same-json';
import { readCampaign } from './drafts';
import { CampaignModel } from './model';
import type { Campaign, CampaignContent, CampaignPause, Revision } from './model';
import { interruptPages } from './page-claims';
import { refuse, templateFaults, requireStrings } from './refusals';
import { storeContents } from './contents';
import { isSeries } from './series';

/** Members that can be corrected while a campaign is sending. Those that are not given stay. */
export type Correction = {
  readonly [K in 'subject' | 'previewText' | 'body' | 'fromName' | 'replyTo']?: CampaignContent[K] | undefined;
} & {
  /** Changes by language. */
  readonly variants?: TranslationChanges | null | undefined;
  /** The design that the HTML comes from, which is stored as it is. */
  readonly bodyBlocks?: unknown;
};

/** A content for each correction is kept for as long as the campaign. */
const MOST_VERSIONS = 50;

/**
 * Corrects the content of a paused or held campaign for all recipients whose message has not begun, as its next version; messages that have begun keep theirs.
 * In an A/B test, a new subject replaces both subjects. A variant replaces the one in the same language. A correction that changes nothing creates no version.
 * Throws `not_found`, `invalid_state` unless it is paused or on hold, 422 for an invalid template.
 *
 * | killed             | found                                   | happens                                                                         |
 * |--------------------|-----------------------------------------|---------------------------------------------------------------------------------|
 * | before the write   | the version as it was, unused contents  | the caller asks again; retention removes the contents                           |
 * | after it           | the new version                         | a page that still has the old one sends it under claims that say so, for seconds |
 */
export async function reviseCampaign(ctx: Context, id: string, { bodyBlocks, ...given }: Correction): Promise<Campaign> {
  const campaign = await readCampaign(ctx, id);
  const { projectId, contentIds, revisions = [], fromName, replyTo } = campaign;
  if (isSeries(campaign)) throw invalidState('Change a recurring campaign with PATCH. Changes apply to future turns');
  if (contentIds === null || !isStopped(campaign)) throw notStopped(campaign);
  const corrected = correctedBy(campaign, given);
  refuse(templateFaults(corrected));
  await requireStrings(ctx, corrected);
  const now = new Date();
  if (hasSameWords(campaign, corrected, bodyBlocks)) {
    // The project's strings and its brand are in the contents too.
    const asItIs = await storeContents(ctx, corrected, now, versionOf(campaign));
    if (sameJson(asItIs, contentIds)) return campaign;
  }
  const version = versionOf(campaign) + 1;
  if (version > MOST_VERSIONS) throw invalidState(`The campaign has been corrected ${MOST_VERSIONS - 1} times, which is the limit`);
  const revision: Revision = { contentIds, fromName, replyTo, until: now };
  const changes = {
    ...wordsOf(corrected),
    ...designOf(given, bodyBlocks),
    contentIds: await storeContents(ctx, corrected, now, version),
    revisions: [...revisions, revision],
  };
  const stopped = [{ paused: { $exists: true } }, { heldReason: { $gt: '' } }];
  const revised = await CampaignModel.findOneAndUpdate(
    { _id: id, projectId, status: 'sending', 'contentIds.a': contentIds.a, $or: stopped },
    approvedAnew(ctx, campaign, changes, now),
    { returnDocument: 'after' },
  ).lean<Campaign>();
  if (!revised) throw notStopped(await readCampaign(ctx, id));
  await interruptPages(id);
  return revised;
}

/** Returns the change. What needs an approval needs it again, and stays paused until then. */
function approvedAnew({ project }: Context, { paused, testMode, audienceSize }: Campaign, changes: object, at: Date) {
  if (testMode || !lacksApproval(project, audienceSize)) return { $set: changes };
  const until: CampaignPause = { ...(paused ?? { at, retries: 'continue' }), until: null };
  return { $set: { ...changes, paused: until }, $unset: { approvedFor: 1 } };
}

/** Returns what a correction can change, the design left out. */
const wordsOf = ({ subject, abSubjectB, previewText, body, fromName, replyTo, variants = null }: Campaign) => ({
  subject,
  abSubjectB,
  previewText,
  body,
  fromName,
  replyTo,
  variants,
});

const hasSameWords = (campaign: Campaign, corrected: Campaign, bodyBlocks: unknown): boolean =>
  sameJson(wordsOf(campaign), wordsOf(corrected)) && (bodyBlocks === undefined || sameJson(storedJson(bodyBlocks), campaign.bodyBlocks));

const isStopped = ({ status, paused, heldReason }: Campaign): boolean =>
  status === 'sending' && (paused !== undefined || heldReason !== null);

/** Returns the design to store. HTML that comes without one replaces the design of the former HTML, which would undo the correction. */
const designOf = ({ body }: Pick<Correction, 'body'>, bodyBlocks: unknown): Partial<Pick<Campaign, 'bodyBlocks'>> =>
  bodyBlocks === undefined && body === undefined ? {} : { bodyBlocks: storedJson(bodyBlocks ?? null) };

const notStopped = ({ status }: Campaign): Error =>
  invalidState(
    `Only a campaign that is paused or on hold can be corrected; this one is ${status === 'sending' ? 'sending: pause it first' : status}`,
  );

function correctedBy(campaign: Campaign, { variants, ...given }: Omit<Correction, 'bodyBlocks'>): Campaign {
  const changed = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<CampaignContent>;
  const { subject } = given;
  return {
    ...campaign,
    ...changed,
    variants: changedVariants(campaign.variants, variants),
    ...(subject !== undefined && campaign.abSubjectB !== null && { abSubjectB: subject }),
  };
}

/** Returns a campaign with the sender that a content of it went out with. */
export function asOfContent(campaign: Campaign, contentId: string | undefined): Campaign {
  const revision = campaign.revisions?.[versionOfContent(contentId) - 1];
  return revision ? { ...campaign, contentIds: revision.contentIds, fromName: revision.fromName, replyTo: revision.replyTo } : campaign;
}

/** Returns which version of the content goes out, from 1 on. */
export const versionOf = ({ revisions = [] }: Pick<Campaign, 'revisions'>): number => revisions.length + 1;
