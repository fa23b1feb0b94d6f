import type { ClientSession } from 'mongoose';
import type { Core, ProjectFacts } from '../../platform/core';
import { inSequence, inTransaction } from '../../platform/mongo';
import { judgeQuota } from '../../rules/quota';
import type { QuotaFacts, QuotaRefusal, QuotaUsage } from '../../rules/quota';
import { addUsage, monthOf, quotaFacts, usageToDecideBy } from './usage';

/** The number of requested messages that may be sent. */
export interface Charged {
  /** The first messages of the request, this many. */
  readonly granted: number;
  /** Why not all of them. */
  readonly refused: QuotaRefusal | null;
}

/**
 * Takes credits for campaign messages, one each, as many as the project's limits leave: exact under concurrency. `within` writes down, in the same
 * transaction, which messages they are for; what it throws takes nothing.
 */
export function chargeCampaign(
  { config }: Pick<Core, 'config'>,
  project: ProjectFacts,
  wanted: number,
  within: (session: ClientSession, granted: number, month: string) => Promise<void>,
): Promise<Charged> {
  const facts = quotaFacts(config, project);
  return inSequence(`usage/${project._id}`, () =>
    inTransaction(async (session) => {
      const month = monthOf(new Date());
      const charged = grantedOf(facts, await usageToDecideBy(session, facts, project._id, month, 'campaign'), wanted);
      const { granted } = charged;
      await addUsage(session, project._id, month, 'campaign', { messages: granted, credits: granted });
      if (granted > 0) await within(session, granted, month);
      return charged;
    }),
  );
}

/** Returns how many of the messages fit into what the project's limits leave. */
function grantedOf(facts: QuotaFacts, { used, credits, categories }: QuotaUsage, wanted: number): Charged {
  for (let granted = 0; granted < wanted; granted++) {
    const then = {
      used: used + granted,
      credits: credits + granted,
      categories: { ...categories, campaign: categories.campaign + granted },
    };
    const refused = judgeQuota(facts, then, 'campaign', 1);
    if (refused !== null) return { granted, refused };
  }
  return { granted: wanted, refused: null };
}

/** Gives credits back for campaign messages that were not sent, when `within`, in the same transaction, finds that they are still charged. */
export const refundCampaign = (
  projectId: string,
  month: string,
  count: number,
  within: (session: ClientSession) => Promise<boolean>,
): Promise<void> =>
  inSequence(`usage/${projectId}`, () =>
    inTransaction(async (session) => {
      if (await within(session)) await addUsage(session, projectId, month, 'campaign', { messages: -count, credits: -count });
    }),
  );
