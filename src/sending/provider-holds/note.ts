import { domainOf, isErasedAddress } from '../../platform/addresses';
import type { Core } from '../../platform/core';
import { metrics } from '../../platform/metrics';
import type { Outcome } from '../../records/emails';
import { COUNTED_MS, checkDelay, remedyOf } from '../../rules/policy-refusal';
import type { Policy } from '../../rules/policy-refusal';
import { ProviderHoldModel } from './model';
import type { ProviderHold } from './model';
import { providersOf } from '../exchangers';
import { readSeldom } from '../../platform/mongo';

/** Every process knows of a hold, and of its end, within this time. */
const KNOWN_MS = 1_000;

/** All holds of the installation, which are few. */
const all = readSeldom(KNOWN_MS, () => ProviderHoldModel.find({ since: { $gt: new Date(0) } }).lean<ProviderHold[]>());

/** All holds, read each second at most: without any, campaign mail asks nothing more. */
export const currentHolds = all.current;
export const forgetHolds = all.forget;

/** Returns the key of a project's mail to a provider. */
export const holdId = (projectId: string, provider: string): string => `${projectId}/${provider}`;

/** Reads the holds of a project. */
export const holdsOf = (projectId: string): Promise<readonly ProviderHold[]> =>
  ProviderHoldModel.find({ projectId, since: { $gt: new Date(0) } })
    .sort({ _id: 1 })
    .lean<ProviderHold[]>();

/** Returns what ends a hold, for people: what a sender can do, and which records are not there yet. */
export const howToEnd = ({ policy, missing }: Pick<ProviderHold, 'policy' | 'missing'>): string =>
  [remedyOf(policy), ...(missing.length > 0 ? [`DNS does not have: ${missing.join(', ')}.`] : [])].join(' ');

/** Ends all holds of a project. Resolves to whether there were any. */
export async function releaseHolds(projectId: string): Promise<boolean> {
  const { deletedCount } = await ProviderHoldModel.deleteMany({ projectId, since: { $gt: new Date(0) } });
  forgetHolds();
  return deletedCount > 0;
}

/** Lets a message be the one that shows whether the provider takes mail again. Resolves to false when another one is. */
export async function takeProbe({ _id }: ProviderHold, emailId: string): Promise<boolean> {
  const { modifiedCount } = await ProviderHoldModel.updateOne({ _id, probe: OPEN }, { $set: { probe: emailId, probeAt: new Date() } });
  return modifiedCount === 1;
}

/** The probe of a hold whose check has passed. */
export const OPEN = 'open';

type NoteCore = Pick<Core, 'config' | 'dns' | 'log'>;

interface Refusals {
  readonly projectId: string;
  readonly provider: string;
  readonly policy: Policy;
  readonly reply: string;
  count: number;
}

/**
 * Counts policy refusals of campaign mail, and begins a hold at the POLICY_REFUSALS-th within an hour. It comes before the messages' rows: repeated after a
 * crash, it counts too many rather than too few.
 */
export async function noteRefusals(core: NoteCore, outcomes: readonly Outcome[]): Promise<void> {
  for (const refusals of await togetherOf(core, outcomes)) await note(core, refusals);
}

async function togetherOf(core: NoteCore, outcomes: readonly Outcome[]): Promise<Iterable<Refusals>> {
  const found = new Map<string, Refusals>();
  for (const { email, policy, set } of outcomes) {
    if (policy === undefined || email.source !== 'campaign' || isErasedAddress(email.to)) continue;
    const { projectId, to } = email;
    const provider = await providersOf(core).of(domainOf(to));
    const key = holdId(projectId, provider);
    const known = found.get(key);
    if (known) known.count += 1;
    else found.set(key, { projectId, provider, policy, reply: withoutAddresses(set.error ?? ''), count: 1 });
  }
  return found.values();
}

/** Returns a reply without addresses: it often names the recipient, whom a hold is not about. */
export const withoutAddresses = (reply: string): string => reply.replace(/<?[^\s<>()@]{1,64}@[\w.-]+>?/g, '<address>');

/** Begins a hold for replies that a rule of the operator is about. It ends as other holds do: when a message gets through. */
export const holdFor = (
  core: NoteCore,
  { projectId, provider, reply }: Pick<Refusals, 'projectId' | 'provider' | 'reply'>,
): Promise<void> => note(core, { projectId, provider, reply: withoutAddresses(reply), policy: 'volume', count: 1 }, 1);

/** Counts refusals; `least` of them within an hour begin a hold. */
async function note(
  { config, log }: NoteCore,
  { projectId, provider, policy, reply, count }: Refusals,
  least = config.POLICY_REFUSALS,
): Promise<void> {
  const now = new Date();
  const isRecent = { $gte: ['$lastAt', new Date(now.getTime() - COUNTED_MS)] };
  const row = (await ProviderHoldModel.collection.findOneAndUpdate(
    { _id: holdId(projectId, provider) },
    [
      {
        $set: {
          projectId,
          provider,
          policy,
          reply: { $literal: reply },
          lastAt: now,
          recent: { $add: [{ $cond: [isRecent, '$recent', 0] }, count] },
          refused: { $add: [{ $ifNull: ['$refused', 0] }, count] },
          since: { $ifNull: ['$since', null] },
          checks: { $ifNull: ['$checks', 0] },
          missing: { $ifNull: ['$missing', []] },
          probe: { $ifNull: ['$probe', null] },
          probeAt: { $ifNull: ['$probeAt', null] },
          nextCheckAt: { $ifNull: ['$nextCheckAt', new Date(now.getTime() + checkDelay(0))] },
        },
      },
      { $set: { since: { $cond: [{ $gte: ['$recent', least] }, { $ifNull: ['$since', now] }, '$since'] } } },
    ],
    { upsert: true, returnDocument: 'after' },
  )) as ProviderHold | null;
  metrics.policyRefusals.inc({ policy }, count);
  if (row?.since?.getTime() !== now.getTime()) return;
  forgetHolds();
  log.warn(
    { projectId, provider, policy, refused: row.refused },
    'A provider refuses campaign mail: campaigns of the project are held for it',
  );
}
