import { afterwards } from '../../platform/async';
import type { Translations } from '../../rules/translations';
import type { Context } from '../../platform/core';
import type { CampaignKey } from '../../contracts/campaign';
import { findContacts } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import { withReferenceLock } from '../../records/events';
import { campaignMessages, wasTried } from '../../records/emails';
import type { CampaignMessage } from '../../records/emails';
import { invalidState, limitOf } from '../../platform/core';
import { startNow, want } from '../../platform/outbox';
import { countFilled, createStaticSegment, fillSegment, requireSegmentRoom } from '../../audience/segments';
import { announceStart } from './announce';
import { withPrefix, withSuffix } from '../../rules/cut-text';
import { contentOf, newCampaign, readCampaign } from './drafts';
import { requireClear } from './gate';
import { CampaignModel } from './model';
import type { Campaign, CampaignRecipient } from './model';
import { findCampaign } from './page-source';
import { refuse, templateFaults } from './refusals';
import { holdSender, prepareStart, startIntent } from './send';
import { isSeries } from './series';
import { recipientPages } from './walk';

const PAGE = 2_000;
const DAY_MS = 86_400_000;
/** Time in which the request fills the segment itself; its workflow adds the rest. */
const FILL_MS = 5_000;
const NAME_SUFFIX = ' (non-openers)';

export interface ResendOptions {
  readonly subject: string | null;
  readonly scheduledFor: Date | null;
  /** Launches it in spite of what would stop it. */
  readonly force: boolean;
}

/**
 * Sends a sent campaign again to recipients who neither opened nor clicked it: creates a static segment of them and a new campaign to it,
 * with the given subject or else the sent one (after an A/B test, the winner's). Throws `not_found`, `invalid_state` unless it is sent, 422
 * as a send does.
 */
export async function resendToNonOpeners(ctx: Context, id: string, { subject, scheduledFor, force }: ResendOptions): Promise<Campaign> {
  const original = await readCampaign(ctx, id);
  if (original.status !== 'sent') throw invalidState(`Only a sent campaign can be sent again; this one is ${original.status}`);
  if (isSeries(original)) throw invalidState('A recurring campaign has no recipients of its own: send one of its turns again');
  if (isAudienceGone(ctx, original))
    throw invalidState('The audience of this campaign is no longer stored, so its non-openers are unknown');
  if (subject !== null) refuse(templateFaults({ subject }));
  const now = new Date();
  const again = await prepareStart(
    ctx,
    nextCampaign(ctx, original, subject, now),
    { scheduledFor, abDecideAt: null, throttlePerMinute: null },
    now,
  );
  await requireClear(ctx, again, force);
  const { started, intents } = await withReferenceLock(ctx.projectId, async (session) => {
    await requireSegmentRoom(session, ctx);
    const named = { projectId: ctx.projectId, name: withPrefix('Non-openers of ', original.name), description: null };
    const campaign = { ...again, segmentId: await createStaticSegment(session, named, now) };
    await holdSender(session, campaign);
    await CampaignModel.create([campaign], { session });
    await announceStart(session, campaign);
    const wanted = [startIntent(campaign)];
    await want(session, wanted);
    return { started: campaign, intents: wanted };
  });
  await afterwards(ctx.core, "The segment of non-openers is left to the campaign's workflow", () =>
    fillNonOpeners({ campaignId: started._id, projectId: ctx.projectId }, performance.now() + FILL_MS),
  );
  startNow(ctx.core, intents);
  return started;
}

/** Returns whether the campaign's messages may have begun to be deleted for their age: then some recipients cannot be checked. */
const isAudienceGone = ({ core, project }: Context, { startedAt }: Campaign): boolean =>
  startedAt !== null && startedAt.getTime() < Date.now() - limitOf(core.config, project, 'retentionDays') * DAY_MS;

/** Returns the variants with the subjects that won. */
const winning = (variants: Translations, isB: boolean): Translations =>
  Object.fromEntries(
    Object.entries(variants).map(([language, { abSubjectB, ...variant }]) => [
      language,
      { ...variant, ...(isB && abSubjectB && { subject: abSubjectB }) },
    ]),
  );

function nextCampaign(ctx: Context, original: Campaign, subject: string | null, now: Date): Campaign {
  const sentSubject = original.abWinner === 'b' ? (original.abSubjectB ?? original.subject) : original.subject;
  const fields = {
    ...contentOf(original),
    // Its recipients have the message of that key: it is meant to go to them again.
    sendOnce: null,
    name: withSuffix(original.name, NAME_SUFFIX),
    subject: subject ?? sentSubject,
    ...(original.variants && { variants: winning(original.variants, original.abWinner === 'b') }),
    audience: 'segment' as const,
    filter: null,
    abSubjectB: null,
  };
  return { ...newCampaign(ctx, fields, now), resendOf: { campaignId: original._id, filled: false } };
}

/**
 * Fills the segment of a campaign to non-openers until it is full or `until` (of `performance.now()`) has come. Members stay; a repeated call starts over
 * and adds the rest. Resolves to whether it is full.
 */
export async function fillNonOpeners(
  { campaignId, projectId }: CampaignKey,
  until: number,
  beat: () => void = () => undefined,
): Promise<boolean> {
  const campaign = await findCampaign(projectId, campaignId);
  if (!campaign?.resendOf || campaign.resendOf.filled) return true;
  const original = await findCampaign(projectId, campaign.resendOf.campaignId);
  const segmentId = campaign.segmentId ?? '';
  if (original) {
    for await (const rows of recipientPages({ campaignId: original._id, projectId, size: PAGE })) {
      if (performance.now() > until) return false;
      await fillSegment(projectId, segmentId, await idleContacts(original, rows), campaign.createdAt);
      beat();
    }
  }
  await countFilled(projectId, segmentId);
  await CampaignModel.updateOne({ _id: campaignId, projectId }, { $set: { 'resendOf.filled': true } });
  return true;
}

/** Finds contacts who were sent the campaign, did nothing with it, and still exist. */
async function idleContacts(
  { _id: campaignId, projectId, startedAt }: Campaign,
  rows: readonly CampaignRecipient[],
): Promise<readonly Contact[]> {
  const emailIds = rows.map(({ emailId }) => emailId);
  const messages = await campaignMessages(projectId, campaignId, emailIds);
  const idle = rows.filter(({ emailId }) => {
    const message = messages.get(emailId);
    return message !== undefined && wasTried(message) && didNothing(message);
  });
  const contactIds = idle.map(({ contactId }) => contactId);
  const contacts = await findContacts(projectId, contactIds);
  return idle.flatMap(({ contactId }) => {
    const contact = contacts.get(contactId);
    return contact && startedAt && contact.createdAt <= startedAt ? [contact] : [];
  });
}

const didNothing = ({ openedAt, clickedAt, bouncedAt, complainedAt, unsubscribedAt }: CampaignMessage): boolean =>
  !(openedAt ?? clickedAt ?? bouncedAt ?? complainedAt ?? unsubscribedAt);
