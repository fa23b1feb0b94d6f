import type { ClientSession } from 'mongoose';
import { perDatabase, inSequence, inTransaction } from '../../platform/mongo';
import { Batcher } from '../../platform/batch';
import { DeliveryCountModel } from './model';
import type { Core, ProjectFacts } from '../../platform/core';
import { judgeQuota } from '../../rules/quota';
import type { QuotaFacts, QuotaRefusal, QuotaUsage } from '../../rules/quota';
import { addUsage, monthOf, quotaFacts, usageToDecideBy } from './usage';

interface Counted {
  readonly projectId: string;
  readonly sent: number;
  readonly bounced: number;
}

/**
 * Adds live deliveries and hard bounces to the current hour of their projects; resolves when they are stored. What comes while a write is under way
 * goes together in the next one.
 */
export const countDeliveries = (counted: readonly Counted[]): Promise<void> => deliveryWriter().addAll(counted);

const deliveryWriter = perDatabase(
  () =>
    new Batcher<Counted>(async (counted) => {
      const sums = new Map<string, { sent: number; bounced: number }>();
      for (const { projectId, sent, bounced } of counted) {
        const sum = sums.get(projectId) ?? { sent: 0, bounced: 0 };
        sums.set(projectId, { sent: sum.sent + sent, bounced: sum.bounced + bounced });
      }
      const hour = currentHour();
      await DeliveryCountModel.collection.bulkWrite(
        [...sums].map(([projectId, sum]) => ({
          updateOne: {
            filter: { _id: `${projectId}/${hour.toISOString()}`, projectId },
            update: { $inc: sum, $setOnInsert: { hour } },
            upsert: true,
            hint: '_id_',
          },
        })),
        { ordered: false },
      );
    }),
);

const currentHour = (): Date => new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);

/**
 * Counts a hard bounce or a complaint of a message that was sent before, in the transaction that records it. In a row of its own: the deliveries' writer,
 * which is no transaction, does not meet it.
 */
export async function countReturned(session: ClientSession, projectId: string, counter: 'bounced' | 'complained'): Promise<void> {
  const hour = currentHour();
  await DeliveryCountModel.collection.updateOne(
    { _id: `${projectId}/${hour.toISOString()}/returned`, projectId },
    { $inc: { [counter]: 1 }, $setOnInsert: { hour } },
    { session, upsert: true, hint: '_id_' },
  );
}

/** The number of requested messages that may be sent. */
interface Charged {
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
