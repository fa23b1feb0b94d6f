import type { ClientSession } from 'mongoose';
import { chargeCampaign } from '../../records/billing';
import { confirmPage, findCampaign } from '../campaigns';
import type { Campaign, ContentChooser, PageClaim, PageRecipient } from '../campaigns';
import type { ProjectFacts } from '../../platform/core';
import type { CampaignPageInput, Variant } from '../../contracts/campaign';
import { insertClaims } from '../../records/emails';
import type { Attempt } from '../../records/emails';
import { newId } from '../../platform/core';
import { inSequence, inTransaction } from '../../platform/mongo';
import { takeUnits } from '../../sending/accept';
import type { PageTools } from '../../sending/deliver';
import type { Addressed } from './mail';

/** Why no more may follow: the campaign is not sending, this worker may put nothing on the wire or has lost the page, or the campaign is held for a reason. */
export type SliceEnd = 'over' | 'stopped' | { readonly held: string };

/** Shared by the slices of a page. */
export interface SlicesOf {
  readonly input: CampaignPageInput;
  readonly chooseContent: ContentChooser;
  readonly page: PageClaim;
  readonly campaign: Campaign;
  readonly project: ProjectFacts;
}

/** A slice of a page, with the attempt that names its claim. */
interface AttemptedSlice {
  readonly attempt: Attempt;
  readonly mail: readonly Addressed[];
  /** The month that was charged; null in test mode. */
  readonly month: string | null;
}

/** A slice whose claim is stored. */
export interface ClaimedSlice extends AttemptedSlice {
  /** Time of the claim by the monotonic clock of this process, if it is known. */
  readonly claimedAt: number;
}

interface Claimed<Of = ClaimedSlice> {
  readonly slices: readonly Of[];
  /** Why there are fewer than asked for. */
  readonly ends: SliceEnd | null;
}

/** The page was taken from this attempt, or its campaign was cancelled. */
class PageLost extends Error {}

/**
 * Takes credits for slices of a page and claims their messages, in one transaction, as many as the limits allow. A slice is only claimed by that: it goes
 * out when its claim begins, and is given up with its credits where the page is taken away before.
 */
export async function claimSlices(tools: PageTools, of: SlicesOf, wanted: readonly (readonly Addressed[])[]): Promise<Claimed> {
  try {
    const { slices, ends } = of.campaign.testMode ? await claimFree(tools, of, wanted) : await claimCharged(tools, of, wanted);
    const claimedAt = performance.now();
    return { slices: slices.map((slice) => ({ ...slice, claimedAt })), ends };
  } catch (error) {
    if (!(error instanceof PageLost)) throw error;
    return { slices: [], ends: await endOfLost(of.campaign) };
  }
}

/** Finds out why a page or a claim of it is not there any more. */
export async function endOfLost({ projectId, _id }: Campaign): Promise<SliceEnd> {
  return (await findCampaign(projectId, _id))?.status === 'sending' ? 'stopped' : 'over';
}

async function claimFree(tools: PageTools, of: SlicesOf, wanted: readonly (readonly Addressed[])[]): Promise<Claimed<AttemptedSlice>> {
  const slices = attemptsFor(tools, wanted, null);
  await inSequence(of.page._id, () => inTransaction((session) => store(session, of, slices)));
  return { slices, ends: null };
}

async function claimCharged(tools: PageTools, of: SlicesOf, wanted: readonly (readonly Addressed[])[]): Promise<Claimed<AttemptedSlice>> {
  const { core } = tools;
  const { project } = of;
  const units = await takeUnits(core.config, project, countOf(wanted));
  if (units === 0) return { slices: [], ends: { held: 'reputation_throttled' } };
  let slices: readonly AttemptedSlice[] = [];
  const { granted, refused } = await chargeCampaign(core, project, units, (session, count, month) => {
    slices = attemptsFor(tools, firstOf(wanted, count), month);
    return store(session, of, slices);
  });
  const held = refused ?? 'reputation_throttled';
  return { slices, ends: granted < countOf(wanted) ? { held } : null };
}

const countOf = (slices: readonly (readonly Addressed[])[]): number => slices.reduce((sum, { length }) => sum + length, 0);

/** Keeps the first messages, `count` of them. */
function firstOf(slices: readonly (readonly Addressed[])[], count: number): readonly (readonly Addressed[])[] {
  let left = count;
  const kept = slices.map((mail) => {
    const part = mail.slice(0, left);
    left -= part.length;
    return part;
  });
  return kept.filter(({ length }) => length > 0);
}

/** Gives each slice an attempt of this worker. */
const attemptsFor = ({ workerId }: PageTools, wanted: readonly (readonly Addressed[])[], month: string | null): readonly AttemptedSlice[] =>
  wanted.map((mail) => ({ attempt: { id: newId('att'), worker: workerId, at: new Date() }, mail, month }));

/** Stores claims. Throws PageLost. */
async function store(session: ClientSession, of: SlicesOf, slices: readonly AttemptedSlice[]): Promise<void> {
  const { page, campaign } = of;
  const count = countOf(slices.map(({ mail }) => mail));
  if (!(await confirmPage(page, count, session))) throw new PageLost('The page is not ours any more');
  const claims = slices.map(({ attempt: { id: _id, worker, at }, mail, month }) => ({
    _id,
    projectId: campaign.projectId,
    campaignId: campaign._id,
    page: page._id,
    testMode: campaign.testMode,
    worker,
    at,
    month,
    begun: false,
    emails: mail.map(({ recipient }) => recipient.emailId),
    contacts: mail.map(({ contact }) => contact._id),
    to: mail.map(({ recipient }) => recipient.email),
    contents: oneOfAlike(mail.map((addressed) => contentIdOf(of, addressed))),
  }));
  await insertClaims(claims, session);
}

function variantOf({ subject }: CampaignPageInput, { variant }: PageRecipient): Variant {
  if (subject !== 'own') return subject;
  return variant === 'b' ? 'b' : 'a';
}

/** Returns the content that a recipient gets: by variant, and by the locale that the contact has now. */
export const contentIdOf = ({ input, chooseContent }: SlicesOf, { recipient, contact }: Addressed): string =>
  chooseContent(variantOf(input, recipient), contact.locale);

export const oneOfAlike = (contents: readonly string[]): readonly string[] =>
  contents.every((content) => content === contents[0]) ? contents.slice(0, 1) : contents;
