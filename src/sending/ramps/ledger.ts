import type { Ramp } from '../../rules/ramps';
import { amountOf } from '../../rules/ramps';
import { RampDayModel, RampStateModel } from './model';
import type { RampDay, RampState } from './model';

const KEPT_MS = 60 * 86_400_000;

/** A day of a ramp, or of a provider of one where each has the amount for itself. */
export interface DayKey {
  readonly transport: string;
  readonly day: string;
  readonly provider: string | null;
}

const idOf = ({ transport, day, provider }: DayKey): string => `${transport}/${day}${provider === null ? '' : `/${provider}`}`;

/**
 * Takes as many messages as a day has room for, `count` at most, in one atomic update. Resolves to how many were taken; null when the ramp is over. A day that
 * has begun and was not moved on to yet has the amount of the day before.
 */
export async function reserve(ramp: Ramp, key: DayKey, count: number): Promise<number | null> {
  const state = await RampStateModel.findById(ramp.transport).lean<RampState | null>();
  const amount = amountOf(ramp, state?.step ?? 0);
  if (amount === null) return null;
  const used = { $ifNull: ['$used', 0] };
  const before = (await RampDayModel.collection.findOneAndUpdate(
    { _id: idOf(key) },
    [{ $set: { ...fieldsOf(key), used: { $max: [used, { $min: [amount, { $add: [used, count] }] }] } } }],
    { upsert: true, returnDocument: 'before' },
  )) as RampDay | null;
  return Math.max(0, Math.min(count, amount - (before?.used ?? 0)));
}

const fieldsOf = ({ transport, day, provider }: DayKey) => ({
  transport: { $literal: transport },
  day: { $literal: day },
  provider: { $literal: provider },
  refused: { $ifNull: ['$refused', 0] },
  early: { $ifNull: ['$early', 0] },
  endsAt: { $ifNull: ['$endsAt', new Date(Date.now() + KEPT_MS)] },
});

/** Adds to what a day has counted: `used` below 0 gives reservations back. */
export async function count(key: DayKey, by: Partial<Pick<RampDay, 'used' | 'refused' | 'early'>>): Promise<void> {
  await RampDayModel.collection.updateOne({ _id: idOf(key) }, { $inc: by });
}

const MOST_MS = 5_000;

/** A ramp as operators see it. */
interface RampStanding {
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

/** A ramp that counts by provider has the amount of the one with the fewest left. `isRefused`: it does not climb as receivers refused too much. */
interface RunningRamp {
  readonly remaining: number;
  readonly isRefused: boolean;
}

/** A ramp that is not moved on for longer was taken out of the settings. */
const RUNNING_MS = 2 * 86_400_000;

/** Resolves to how many messages may go over each transport today, without ramps that are over, or that the settings do not have any more. */
export async function runningRamps(mostMs: number): Promise<ReadonlyMap<string, RunningRamp>> {
  const running = new Map<string, RunningRamp>();
  const since = new Date(Date.now() - RUNNING_MS).toISOString().slice(0, 10);
  for (const { transport, day, used, amount, heldBack } of await listRamps(mostMs)) {
    if (amount === null || day < since) continue;
    const remaining = Math.min(running.get(transport)?.remaining ?? Number.POSITIVE_INFINITY, Math.max(0, amount - used));
    running.set(transport, { remaining, isRefused: heldBack === 'refused' });
  }
  return running;
}
