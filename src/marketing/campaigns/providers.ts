import { domainOf } from '../../platform/addresses';
import type { CampaignKey, FinishInput, ProvidersChecked } from '../../contracts/campaign';
import type { SignalIntent } from '../../contracts/processes';
import type { Core } from '../../platform/core';
import { want } from '../../platform/outbox';
import { checkHolds, holdsOf, howToEnd, releaseHolds } from '../../sending/provider-holds';
import { inTransaction } from '../../platform/mongo';
import { CampaignModel } from './model';
import type { Campaign } from './model';
import { setHeldReason } from './announce';
import { findCampaign } from './page-source';

/** The reason of a campaign of which some recipients wait because their provider refuses its mail, while others may get it. */
export const PROVIDER_REFUSES = 'provider_refuses';

/** A provider that refuses the mail of a project's campaigns. */
export interface HeldProvider {
  readonly provider: string;
  /** Its last reply. */
  readonly reply: string;
  readonly since: Date;
  /** Messages that it refused. */
  readonly refused: number;
  /** Recipients of the campaign who wait for it; null until all others are done. */
  readonly remaining: number | null;
  /** The remedy, for people. */
  readonly how: string;
  readonly nextCheckAt: Date | null;
}

/** Lists the providers that a sending campaign is held for. A test campaign is held for none. */
export async function heldProviders({ projectId, status, testMode, refused = [] }: Campaign): Promise<readonly HeldProvider[]> {
  if (status !== 'sending' || testMode) return [];
  const rows = await holdsOf(projectId);
  return rows.map((hold) => {
    const { provider, reply, since, refused: count, nextCheckAt } = hold;
    const remaining = refused.find((one) => one.provider === provider)?.count ?? null;
    return { provider, reply, since: since ?? new Date(0), refused: count, nextCheckAt, remaining, how: howToEnd(hold) };
  });
}

/** Notes how many recipients wait for providers, once all others are done. */
export async function noteWaiting({ campaignId, projectId }: CampaignKey, refused: NonNullable<FinishInput['refused']>): Promise<void> {
  await setHeldReason(campaignId, PROVIDER_REFUSES);
  const counts = Object.entries(refused).map(([provider, count]) => ({ provider, count }));
  await CampaignModel.updateOne({ _id: campaignId, projectId, status: 'sending' }, { $set: { refused: counts } });
}

/** Checks the providers that a campaign waits for. One that is not sending any more waits for none. */
export async function checkProviders(
  core: Pick<Core, 'config' | 'dns' | 'log'>,
  { campaignId, projectId }: CampaignKey,
  now: number,
): Promise<ProvidersChecked> {
  const campaign = await findCampaign(projectId, campaignId);
  if (campaign?.status !== 'sending') return { nextAt: null };
  const nextAt = await checkHolds(core, { projectId, campaignId, fromDomain: domainOf(campaign.fromEmail) }, now);
  if (nextAt === null && (await holdsOf(projectId)).length === 0) await forgetWaiting(projectId);
  return { nextAt };
}

/** Notes that the campaigns of a project wait for no provider any more. */
const forgetWaiting = async (projectId: string): Promise<void> => {
  const filter = { projectId, status: 'sending', heldReason: PROVIDER_REFUSES } as const;
  await CampaignModel.updateMany(filter, { $set: { heldReason: null }, $unset: { refused: 1 } });
};

/** Ends the holds of a project for all its campaigns. Resolves to whether there were any. `wake` makes the signal by which a campaign continues. */
export async function endHolds(projectId: string, wake: (campaign: Campaign) => SignalIntent): Promise<readonly SignalIntent[] | null> {
  if (!(await releaseHolds(projectId))) return null;
  const waiting = await CampaignModel.find({ projectId, status: 'sending', heldReason: PROVIDER_REFUSES }).lean<Campaign[]>();
  const intents = waiting.map(wake);
  await inTransaction((session) => want(session, intents));
  await forgetWaiting(projectId);
  return intents;
}
