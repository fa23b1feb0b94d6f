import { RampDayModel, RampStateModel } from './model';
import type { RampDay, RampState } from './model';

const MOST_MS = 5_000;

/** A ramp as operators see it. */
export interface RampStanding {
  readonly transport: string;
  readonly day: string;
  /** The first one is 1. */
  readonly step: number;
  /** The provider, where each has the amount for itself. */
  readonly provider: string | null;
  readonly used: number;
  /** Null for no limit. */
  readonly amount: number | null;
  readonly refused: number;
  readonly heldBack: RampState['heldBack'];
}

/** Lists the ramps, of which one that counts by provider is there for each provider. */
export async function listRamps(mostMs = MOST_MS): Promise<readonly RampStanding[]> {
  const states = await RampStateModel.find().sort({ _id: 1 }).maxTimeMS(mostMs).lean<RampState[]>();
  const lists = await Promise.all(
    states.map(async ({ _id: transport, day, step, amount, heldBack }) => {
      const days = await RampDayModel.find({ transport, day }).sort({ _id: 1 }).maxTimeMS(mostMs).lean<RampDay[]>();
      const counts = days.length > 0 ? days : [{ provider: null, used: 0, refused: 0 }];
      return counts.map(({ provider, used, refused }) => ({ transport, day, step: step + 1, provider, used, amount, refused, heldBack }));
    }),
  );
  return lists.flat();
}

/** Resolves to how many messages may go over each transport today; of a ramp that counts by provider, to the one with the fewest. Ramps that are over are left out. */
export async function rampsRemaining(mostMs: number): Promise<ReadonlyMap<string, number>> {
  const remaining = new Map<string, number>();
  for (const { transport, used, amount } of await listRamps(mostMs))
    if (amount !== null)
      remaining.set(transport, Math.min(remaining.get(transport) ?? Number.POSITIVE_INFINITY, Math.max(0, amount - used)));
  return remaining;
}
