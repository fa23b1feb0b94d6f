import type { ClientSession } from 'mongoose';
import type { Core, ProjectFacts } from '../../platform/core';
import { inSequence, inTransaction } from '../../platform/mongo';
import { judgeQuota } from '../../rules/quota';
import type { QuotaFacts, QuotaRefusal, QuotaUsage } from '../../rules/quota';
import { ReservationModel } from './reservation-model';
import type { Reservation } from './reservation-model';
import { addUsage, addUsageTo, monthOf, quotaFacts } from './usage';

/** How many of the messages that were asked for may be sent. */
export interface Charged {
  /** So many of the messages asked for, the first ones. */
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
      const before = await addUsageTo(session, project._id, month, 'campaign', { messages: wanted, credits: wanted });
      const charged = grantedOf(facts, before, wanted);
      const refused = charged.granted - wanted;
      if (refused < 0) await addUsage(session, project._id, month, 'campaign', { messages: refused, credits: refused });
      if (charged.granted > 0) await within(session, charged.granted, month);
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

/** Ends a reservation, which workers of the release before made, of which so many credits were used; the others are given back, once. */
async function releaseReservation({ _id, projectId, month, credits }: Reservation, used: number): Promise<void> {
  if (used === credits) {
    await ReservationModel.deleteOne({ _id });
    return;
  }
  await inSequence(`usage/${projectId}`, () =>
    inTransaction(async (session) => {
      const { deletedCount } = await ReservationModel.deleteOne({ _id }, { session });
      const unused = credits - used;
      if (deletedCount === 1) await addUsage(session, projectId, month, 'campaign', { messages: -unused, credits: -unused });
    }),
  );
}

/** A batch of messages takes seconds; a reservation of this age was left behind by a failure. */
const LEFT_BEHIND_MS = 3_600_000;

/** Ends what workers without a lease have reserved, and what was left behind, by what was charged to it. Resolves to how many reservations. */
export async function releaseLostReservations(
  living: (workers: readonly string[]) => Promise<ReadonlySet<string>>,
  charged: (reservation: Reservation) => Promise<number>,
): Promise<number> {
  const workers = await ReservationModel.distinct('worker');
  const alive = workers.length > 0 ? await living(workers) : new Set<string>();
  const lost = workers.filter((worker) => !alive.has(worker));
  const reservations = await ReservationModel.find({
    $or: [{ worker: { $in: lost } }, { createdAt: { $lt: new Date(Date.now() - LEFT_BEHIND_MS) } }],
  }).lean<Reservation[]>();
  for (const reservation of reservations) await releaseReservation(reservation, await charged(reservation));
  return reservations.length;
}
