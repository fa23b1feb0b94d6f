import { PROVIDER_KEYS } from '../../rules/mail-provider';
import { amountOf, nextRampDay, rampDayAt } from '../../rules/ramps';
import type { Ramp } from '../../rules/ramps';
import { offsetsOf } from '../../rules/zoned-time';
import { RampDayModel, RampStateModel } from './model';
import type { RampDay, RampState } from './model';

const MOST_MS = 5_000;

/** Returns the reason that `GET /v1/emails/{id}` shows for a message that a day has no room for. */
export const rampWait = (transport: string): string => `Waits for the next day: the ramp of transport “${transport}” has no room today`;

/** A ramp as the projects see it whose mail it limits. */
export interface RampToday {
  /** The first one is 1. */
  readonly step: number;
  readonly steps: number;
  readonly amount: number;
  readonly overflow: Ramp['overflow'];
  readonly heldBack: RampState['heldBack'];
  readonly nextDayAt: Date;
  /** Messages of all projects, those of the fullest provider first. `provider`: null where all providers share the amount. */
  readonly used: readonly Pick<RampDay, 'provider' | 'used'>[];
}

/** Reads the day of a ramp; null when there is no limit any more. Of a ramp by provider, only known providers are listed: others may be domains of customers. */
export async function rampToday(ramp: Ramp, now: number): Promise<RampToday | null> {
  const { transport, perDay, perProvider, overflow } = ramp;
  const offsetAt = offsetsOf(ramp.timezone);
  const counted = { transport, day: rampDayAt(now, offsetAt), provider: perProvider ? { $in: [...PROVIDER_KEYS] } : null };
  const [state, days] = await Promise.all([
    RampStateModel.findById(transport).lean<RampState | null>(),
    RampDayModel.find(counted).sort({ used: -1, _id: 1 }).maxTimeMS(MOST_MS).lean<RampDay[]>(),
  ]);
  const { step, heldBack } = state ?? { step: 0, heldBack: null };
  const amount = amountOf(ramp, step);
  if (amount === null) return null;
  const used = days.map(({ provider, used: count }) => ({ provider, used: count }));
  return {
    step: step + 1,
    steps: perDay.length,
    amount,
    overflow,
    heldBack,
    nextDayAt: new Date(nextRampDay(now, offsetAt)),
    used: used.length > 0 || perProvider ? used : [{ provider: null, used: 0 }],
  };
}
