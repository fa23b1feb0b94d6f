import type { Core } from '../../platform/core';
import type { RampOutlook, RampTurnInput } from '../../contracts/ramp';
import { amountOf, heldBackBy, nextRampDay, rampDayAt } from '../../rules/ramps';
import type { Ramp } from '../../rules/ramps';
import { offsetsOf } from '../../rules/zoned-time';
import { RampDayModel, RampStateModel } from './model';
import type { RampDay, RampState } from './model';

const OVER: RampOutlook = { nextAt: null, step: null, amount: null, heldBack: null };

const rampsOf = ({ config }: Pick<Core, 'config'>): readonly Ramp[] => config.TRANSPORTS?.ramps ?? [];

/**
 * Moves the ramp of a transport on to the day of `now`: by one step, unless the days since its last one hold it back. Resolves to what holds until the next day;
 * `nextAt` null: it is over, or not there any more. Of two calls at once, one moves.
 */
export async function moveRamp(core: Pick<Core, 'config'>, { transport, now }: RampTurnInput): Promise<RampOutlook> {
  const ramp = rampsOf(core).find((one) => one.transport === transport);
  if (!ramp) return OVER;
  const offsetAt = offsetsOf(ramp.timezone);
  const state = await movedTo(ramp, rampDayAt(now, offsetAt));
  const amount = amountOf(ramp, state.step);
  if (amount === null) return OVER;
  return { nextAt: new Date(nextRampDay(now, offsetAt)).toISOString(), step: state.step + 1, amount, heldBack: state.heldBack };
}

async function movedTo(ramp: Ramp, today: string): Promise<RampState> {
  const { transport, perProvider } = ramp;
  const first = { day: today, step: 0, amount: amountOf(ramp, 0), perProvider, heldBack: null };
  const made = { upsert: true, returnDocument: 'after' } as const;
  const state = await RampStateModel.findOneAndUpdate({ _id: transport }, { $setOnInsert: first }, made).lean<RampState>();
  if (state.day >= today) return state;
  const counts = await RampDayModel.find({ transport, day: { $gte: state.day, $lt: today } }).lean<RampDay[]>();
  const heldBack = heldBackBy(counts);
  const step = heldBack === null ? state.step + 1 : state.step;
  const moved = { day: today, step, amount: amountOf(ramp, step), perProvider, heldBack };
  await RampStateModel.updateOne({ _id: transport, day: state.day }, { $set: moved });
  return { _id: transport, ...moved };
}

/** Starts the process of each ramp whose day is not moved on: it was never started, or somebody has ended it. Resolves to how many. */
export async function startForgottenRamps(core: Pick<Core, 'config' | 'processes'>, now: Date): Promise<number> {
  let started = 0;
  for (const ramp of rampsOf(core)) {
    const state = await RampStateModel.findById(ramp.transport).lean<RampState | null>();
    if (state && (amountOf(ramp, state.step) === null || state.day >= rampDayAt(now.getTime(), offsetsOf(ramp.timezone)))) continue;
    await core.processes.startRamp(ramp.transport);
    started++;
  }
  return started;
}
