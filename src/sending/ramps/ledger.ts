import { amountOf, nextRampDay, rampDayAt, heldBackBy } from '../../rules/ramps';
import type { Ramp } from '../../rules/ramps';
import { RampDayModel, RampStateModel } from './model';
import type { RampDay, RampState } from './model';
import { PROVIDER_KEYS } from '../../rules/mail-provider';
import { offsetsOf } from '../../rules/zoned-time';
import type { Core } from '../../platform/core';
import type { RampOutlook, RampTurnInput } from '../../contracts/ramp';

const KEPT_MS = 60 * 86_400_000;

/** A day of a ramp, or of a provider of one where each has the amount for itself. */
export interface DayKey {
  readonly transport: string;
  readonly day: string;
  readonly provider: string | null;
}

const idOf = ({ transport, day, provider }: DayKey): string => `${transport}/${day}${provider === null ? '' : `/${provider}`}`;

/**
 * Takes up to `count` messages, as far as the day has room, in one atomic update. Resolves to how many were taken; null when the ramp is over. A day that
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
