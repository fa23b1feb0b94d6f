import { domainOf, isErasedAddress } from '../../platform/addresses';
import type { Core } from '../../platform/core';
import { metrics } from '../../platform/metrics';
import type { Outcome } from '../../records/emails';
import { COUNTED_MS, checkDelay } from '../../rules/policy-refusal';
import type { Policy } from '../../rules/policy-refusal';
import { forgetHolds, holdId } from './holds';
import { ProviderHoldModel } from './model';
import type { ProviderHold } from './model';
import { providersOf } from '../exchangers';

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
          ...{ projectId, provider, policy, reply: { $literal: reply }, lastAt: now },
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
