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
