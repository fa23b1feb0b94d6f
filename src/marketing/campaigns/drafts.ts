import type { ClientSession } from 'mongoose';
import type { AppError, Context, ErrorDetail } from '../../platform/core';
import { invalid, invalidState, newId, storedJson } from '../../platform/core';
import { awaitLargeWork } from '../../platform/limits';
import { lockReferences, withReferenceLock } from '../../records/events';
import { inTransaction, ownRow } from '../../platform/mongo';
import { missingReferences, segmentExists } from '../../audience/segments';
import { findMailTopics, requireTopic } from '../../audience/topics';
import type { MailTopic } from '../../rules/topics';
import { CampaignModel } from './model';
import type { Campaign, CampaignContent } from './model';
import { filterFaults, refuse, templateFaults } from './refusals';
import { isRunningSeries } from './series';
import { changedVariants } from '../../sending/templates';
import { copyName } from '../../rules/cut-text';
import type { TranslationChanges } from '../../rules/translations';
import { scheduleFault } from '../recurrence';
import { urlFaultNow } from '../../platform/http-client';

export const DEFAULT_SAMPLE_PERCENT = 20;

/** Fields to create or change a draft with. The design is any JSON. */
export type DraftFields = Pick<CampaignContent, 'name' | 'subject' | 'body' | 'fromEmail' | 'audience'> &
  Optional<
    Omit<CampaignContent, 'name' | 'subject' | 'body' | 'fromEmail' | 'audience' | 'topic' | 'feedContent'> & {
      readonly bodyBlocks: unknown;
      readonly topicId: string | null;
    }
  >;

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };
export type DraftPatch = Optional<Omit<DraftFields, 'variants'>> & {
  /** Changes by language. */
  readonly variants?: TranslationChanges | null | undefined;
};

/** The initial fields of a campaign, without its content. */
const UNTOUCHED = {
  status: 'draft',
  abDecideAt: null,
  abWinner: null,
  throttlePerMinute: null,
  scheduledFor: null,
  startedAt: null,
  sentAt: null,
  phase: null,
  heldReason: null,
  contentIds: null,
  resendOf: null,
  audienceSize: 0,
  sentCount: 0,
  skippedCount: 0,
  counters: { delivered: 0, opened: 0, clicked: 0, bounced: 0, complained: 0, unsubscribed: 0, proxied: 0, proxiedOpened: 0, scanned: 0 },
  version: 0,
} as const satisfies Partial<Campaign>;

const BLANK = {
  previewText: null,
  bodyBlocks: null,
  fromName: null,
  replyTo: null,
  segmentId: null,
  filter: null,
  abSubjectB: null,
  abSamplePct: DEFAULT_SAMPLE_PERCENT,
} as const;

/** Stores a draft. Throws 422 for an invalid template, filter or segment. */
export async function createCampaign(ctx: Context, given: DraftFields): Promise<Campaign> {
  const fields = { ...BLANK, ...(await storedFields(ctx, given)) } as CampaignFields;
  const campaign = newCampaign(ctx, fields, new Date());
  await check(ctx, campaign, given);
  await holdingReferences(ctx, given, (session) => CampaignModel.create([campaign], { session }));
  return campaign;
}

/** The fields of a campaign that its author writes. */
export type CampaignFields = CampaignContent & Pick<Campaign, 'bodyBlocks'>;

export const newCampaign = (ctx: Context, fields: CampaignFields, now: Date): Campaign => ({
  _id: newId('cmp', now.getTime()),
  projectId: ctx.projectId,
  ...fields,
  ...UNTOUCHED,
  testMode: ctx.testMode,
  createdAt: now,
});

/** Converts given fields to their stored form: an empty second subject becomes null, and variants join those of the current campaign. A topic that is not there is left to `check`. */
async function storedFields(
  ctx: Context,
  { bodyBlocks, topicId, variants, ...given }: DraftPatch,
  current?: Campaign,
): Promise<Partial<CampaignFields>> {
  const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<CampaignFields>;
  return {
    ...fields,
    ...(given.abSubjectB === '' && { abSubjectB: null }),
    ...(bodyBlocks !== undefined && { bodyBlocks: storedJson(bodyBlocks) }),
    ...(variants !== undefined && { variants: changedVariants(current?.variants, variants) }),
    ...(topicId !== undefined && { topic: topicId === null ? null : ((await mailTopic(ctx, topicId)) ?? null) }),
  };
}

const mailTopic = async ({ projectId }: Context, topicId: string): Promise<MailTopic | undefined> =>
  (await findMailTopics(projectId, [topicId])).get(topicId);

/** Returns about how many characters of content a campaign has, in all languages. */
const charactersOf = ({ body, variants }: Campaign): number =>
  Object.values(variants ?? {}).reduce((sum, variant) => sum + variant.body.length, body.length);

/** Checks the fields that the request gives; the rest was checked before. */
async function check(ctx: Context, campaign: Campaign, given: DraftPatch): Promise<void> {
  const { projectId } = ctx;
  const filtered = await filterFaults(projectId, given.filter);
  await awaitLargeWork(ctx, charactersOf(campaign));
  const faults: ErrorDetail[] = [
    ...audienceFaults(campaign),
    ...templateFaults(campaign),
    ...filtered,
    ...scheduleFaults(given),
    ...evergreenFaults(campaign),
    ...(await feedFaults(ctx, campaign, given)),
  ];
  if (typeof given.segmentId === 'string' && !(await segmentExists(projectId, given.segmentId))) faults.push(NO_SEGMENT);
  if (typeof given.topicId === 'string' && !campaign.topic) faults.push(NO_TOPIC);
  refuse(faults);
}

function scheduleFaults({ schedule }: DraftPatch): readonly ErrorDetail[] {
  const fault = schedule && scheduleFault(schedule, new Date());
  return fault ? [{ path: `schedule.${fault.member}`, code: 'invalid_string', message: fault.message }] : [];
}

// An evergreen campaign looks for new people by its schedule, and its turns share a send-once key of their own.
function evergreenFaults({ evergreen = false, schedule, sendOnce, abSubjectB }: Campaign): readonly ErrorDetail[] {
  if (!evergreen) return [];
  const fault = (path: string, message: string): ErrorDetail => ({ path, code: 'invalid_combination', message });
  return [
    ...(schedule ? [] : [fault('evergreen', 'An evergreen campaign needs a schedule')]),
    ...(sendOnce ? [fault('sendOnce', 'An evergreen campaign sets its own send-once key')] : []),
    ...(abSubjectB === null ? [] : [fault('abSubjectB', 'An evergreen campaign cannot have an A/B test: its turns are too small')]),
  ];
}

const NO_SEGMENT: ErrorDetail = { path: 'segmentId', code: 'not_found', message: 'This segment does not exist' };

const NO_TOPIC: ErrorDetail = { path: 'topicId', code: 'not_found', message: 'Topic not found' };

function audienceFaults({ audience, segmentId, filter }: Campaign): readonly ErrorDetail[] {
  const missing = (audience === 'segment' && segmentId === null && 'segmentId') || (audience === 'filter' && filter === null && 'filter');
  return missing ? [{ path: missing, code: 'invalid_combination', message: `Required when the audience is ${audience}` }] : [];
}

/** Does the work in a transaction that locks what the campaign refers to: of this and a concurrent deletion, one is refused. */
function holdingReferences<T>(
  { projectId }: Context,
  { segmentId, filter, topicId }: DraftPatch,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  if (!segmentId && !filter && !topicId) return inTransaction(work);
  return withReferenceLock(projectId, async (session) => {
    await lockReferences(session, projectId);
    if (filter) refuse(await missingReferences(session, projectId, filter, 'filter'));
    if (segmentId && !(await segmentExists(projectId, segmentId, session))) refuse([NO_SEGMENT]);
    if (topicId) await requireTopic(session, projectId, topicId);
    return work(session);
  });
}

/** Throws 422 when the campaign names a missing topic, or its audience or its filter a missing segment: every contact is outside of such a segment. */
export async function checkReferences(session: ClientSession, { projectId, audience, segmentId, filter, topic }: Campaign): Promise<void> {
  if (topic) await requireTopic(session, projectId, topic.topicId);
  if (audience === 'filter') refuse(await missingReferences(session, projectId, filter, 'filter'));
  if (audience === 'segment' && !(await segmentExists(projectId, segmentId ?? '', session))) {
    throw invalid(NO_SEGMENT.path, NO_SEGMENT.code, NO_SEGMENT.message);
  }
}

/** Reads a campaign. Throws `not_found`. */
export const readCampaign = ({ projectId }: Context, _id: string): Promise<Campaign> =>
  ownRow(CampaignModel, 'Campaign', { _id, projectId });

/**
 * Changes the given fields of a draft, or of a series for the turns to come, and keeps the rest. Concurrent changes are checked one after another. Throws
 * `not_found`, `invalid_state` for any other, and 422 as on creation.
 */
export async function patchCampaign(ctx: Context, id: string, patch: DraftPatch): Promise<Campaign> {
  for (;;) {
    const current = await readCampaign(ctx, id);
    const fields = await storedFields(ctx, patch, current);
    const isEmpty = Object.keys(fields).length === 0;
    if (!isEmpty) await check(ctx, { ...current, ...fields }, patch);
    if (current.status !== 'draft' && !isRunningSeries(current)) throw notADraft(current, 'changed');
    if (current.status !== 'draft' && (fields.schedule !== undefined || fields.evergreen !== undefined))
      throw invalidState('The schedule and evergreen cannot change once the campaign has started');
    if (isEmpty) return current;
    const changed = await holdingReferences(ctx, patch, (session) =>
      CampaignModel.findOneAndUpdate(
        { _id: id, projectId: ctx.projectId, status: current.status, version: current.version },
        { $set: fields, $inc: { version: 1 } },
        { session, returnDocument: 'after' },
      ).lean<Campaign>(),
    );
    if (changed) return changed;
  }
}

/** Returns the error for what only drafts allow; `done` is a participle, such as "deleted". */
export const notADraft = ({ status }: Pick<Campaign, 'status'>, done: string): AppError =>
  invalidState(`Only a draft can be ${done}; this campaign is ${status}`);

/** Creates a draft with the same content under the name with ` (copy)`, which is cut to fit. Throws `not_found`. */
export async function duplicateCampaign(ctx: Context, id: string): Promise<Campaign> {
  const original = await readCampaign(ctx, id);
  const copy = newCampaign(ctx, { ...contentOf(original), name: copyName(original.name) }, new Date());
  await CampaignModel.create([copy]);
  return copy;
}

/** Picks what a copy of a campaign takes over. */
export const contentOf = (campaign: Campaign): CampaignFields => ({
  name: campaign.name,
  subject: campaign.subject,
  previewText: campaign.previewText,
  body: campaign.body,
  bodyBlocks: campaign.bodyBlocks,
  fromEmail: campaign.fromEmail,
  fromName: campaign.fromName,
  replyTo: campaign.replyTo,
  ...(campaign.variants && { variants: campaign.variants }),
  audience: campaign.audience,
  segmentId: campaign.segmentId,
  filter: campaign.filter,
  ...(campaign.topic && { topic: campaign.topic }),
  ...(campaign.windows && { windows: campaign.windows }),
  ...(campaign.sendOnce && { sendOnce: campaign.sendOnce }),
  abSubjectB: campaign.abSubjectB,
  abSamplePct: campaign.abSamplePct,
  ...(campaign.schedule && { schedule: campaign.schedule }),
  ...(campaign.evergreen && { evergreen: true }),
  ...(campaign.feed && { feed: campaign.feed }),
  ...(campaign.feedContent && { feedContent: campaign.feedContent }),
});

const fault = (path: string, code: ErrorDetail['code'], message: string): ErrorDetail => ({ path, code, message });

/** Finds faults in the feed of a campaign: it belongs to a schedule, and its URL is one that may be called. */
async function feedFaults(
  { core: { config, dns } }: Context,
  { feed, schedule, evergreen = false }: Campaign,
  given: { readonly feed?: Campaign['feed'] | undefined },
): Promise<readonly ErrorDetail[]> {
  if (!feed) return [];
  const blocked = given.feed ? await urlFaultNow(dns, new URL(feed.url), config) : null;
  return [
    ...(schedule ? [] : [fault('feed', 'invalid_combination', 'A feed needs a schedule')]),
    ...(evergreen
      ? [fault('feed', 'invalid_combination', 'An evergreen campaign cannot have a feed: all its turns send the same content')]
      : []),
    ...(blocked === null ? [] : [fault('feed.url', 'blocked_url', blocked)]),
  ];
}
