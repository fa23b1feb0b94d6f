import type { SmtpOutcome } from '@lettermill/smtp';
import { pause } from '../../platform/async';
import type { Core } from '../../platform/core';
import { fnv1a, mixed } from '../../contracts/hash';
import { policyOf } from '../../rules/policy-refusal';
import { nextRampDay, rampDayAt } from '../../rules/ramps';
import type { Ramp } from '../../rules/ramps';
import { offsetsOf } from '../../rules/zoned-time';
import type { OffsetAt } from '../../rules/zoned-time';
import { count, rampWait, reserve } from '../ramps';
import type { DayKey } from '../ramps';
import { NO_LEAVE } from './taker';
import type { Leave } from './transport';

/** Messages that wait for the next day come within this time of its beginning. */
const SPREAD_MS = 3_600_000;
/** For how long a day is known to be full, and how long reservations are kept that no message takes. */
const FULL_MS = 1_000;
const IDLE_MS = 5_000;

interface Kept {
  readonly ramp: Ramp;
  readonly offsetAt: OffsetAt;
  day: string;
  /** When the day ends. */
  endsAt: number;
  /** After the last amount there is no limit. */
  over: boolean;
}

/** The reservations of this worker for a day. */
interface Pool {
  readonly kept: Kept;
  readonly key: DayKey;
  free: number;
  /** The messages that wait for one. */
  readonly wanted: Set<string>;
  asking: Promise<void> | null;
  fullUntil: number;
  idle: NodeJS.Timeout | undefined;
}

/** A message whose transport is chosen, and the provider that takes it; null where no ramp asks for it. */
export interface Rampant {
  readonly id: string;
  readonly names: readonly string[];
  readonly provider: string | null;
}

/** `take`: it may go. `soon`: the counter is being asked. `laterMs`: the day is full; `other`: the message may go over another transport. */
export type Room =
  | { readonly take: (message: unknown) => Leave }
  | 'soon'
  | { readonly laterMs: number; readonly why: string; readonly other: boolean };

/**
 * Keeps to the ramps of transports. Before a message is begun, it is reserved in the counter of the day, in the database: together, workers never begin more than
 * its amount. A reservation is given back when its message was not sent up to its end. What a lost process had reserved stays counted.
 */
export class Ramps {
  private readonly ramps: ReadonlyMap<string, Kept>;
  private readonly pools = new Map<string, Pool>();
  /** The reservations of messages that are on the wire: by their ids, or by their envelopes. */
  private readonly held = new Map<unknown, Pool>();
  readonly asksProvider: boolean;

  /** Calls `changed` when one that had to wait may go. */
  constructor(
    private readonly core: Pick<Core, 'log'>,
    ramps: readonly Ramp[],
    private readonly changed: () => void,
    private readonly now: () => number = Date.now,
  ) {
    this.asksProvider = ramps.some(({ perProvider }) => perProvider);
    this.ramps = new Map(
      ramps.map((ramp) => [
        ramp.transport,
        { ramp, offsetAt: offsetsOf(ramp.timezone), day: '', endsAt: Number.NEGATIVE_INFINITY, over: false },
      ]),
    );
  }

  /** Returns whether a message may go over a transport. One that is named, and has to wait, is asked for. */
  ask(name: string, provider: string | null | undefined, id?: string): Room {
    const kept = this.ramps.get(name);
    if (!kept || kept.over) return FREE;
    if (kept.ramp.perProvider && !provider) return 'soon';
    const pool = this.poolOf(kept, provider ?? null);
    if (pool.free > 0) return { take: (message) => this.take(pool, message) };
    if (pool.fullUntil > this.now()) return this.full(kept, id ?? '');
    if (id !== undefined) {
      pool.wanted.add(id);
      void this.fetch(pool);
    }
    return 'soon';
  }

  /** Resolves to whether a message may go over a transport, and has the reservation for it. */
  async claim(name: string, provider: string | null, id: string): Promise<boolean> {
    const kept = this.ramps.get(name);
    if (!kept || kept.over) return true;
    if (kept.ramp.perProvider && provider === null) return false;
    await this.fetchFor(this.poolOf(kept, provider), [id]);
    const room = this.ask(name, provider);
    if (room === 'soon' || !('take' in room)) return false;
    room.take(id);
    return true;
  }

  /** Resolves to the transport of each of some new messages, for which it has reserved. One that there is no room for is deferred when it is begun. */
  async assign(messages: readonly Rampant[]): Promise<readonly string[]> {
    const wanted = new Map<Pool, string[]>();
    for (const { id, names, provider } of messages) {
      const pool = this.poolFor(names[0], provider);
      if (pool) wanted.set(pool, [...(wanted.get(pool) ?? []), id]);
    }
    await Promise.all([...wanted].map(([pool, ids]) => this.fetchFor(pool, ids)));
    const left = new Map<Pool, number>();
    const fits = (name: string, provider: string | null): boolean => {
      const pool = this.poolFor(name, provider);
      if (!pool || pool.kept.ramp.overflow === 'wait') return true;
      const free = left.get(pool) ?? pool.free;
      left.set(pool, free - 1);
      return free > 0;
    };
    return messages.map(({ names, provider }) => names.find((name) => fits(name, provider)) ?? (names[0] as string));
  }

  /** Settles the reservation of a message by what its server has answered. */
  settle(message: unknown, outcome: SmtpOutcome): void {
    const pool = this.held.get(message);
    if (!pool) return;
    this.held.delete(message);
    const isSent = outcome.accepted || outcome.inDoubt || AFTER_DOT.has(outcome.phase);
    if (isPolicy(outcome)) this.note(pool.key, isSent ? { refused: 1 } : { refused: 1, early: 1, used: -1 });
    else if (!isSent) this.giveBack(pool);
  }

  /** Gives back what no message has taken. */
  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => this.empty(pool)));
  }

  /** Takes a reservation for a message. It is given back on leave, unless the message was settled before. */
  private take(pool: Pool, message: unknown): Leave {
    pool.free--;
    this.held.set(message, pool);
    return () => {
      if (this.held.get(message) !== pool) return;
      this.held.delete(message);
      this.giveBack(pool);
    };
  }

  /** Returns the pool of a transport whose ramp limits mail; undefined for others, and where the provider is not known. */
  private poolFor(name: string | undefined, provider: string | null): Pool | undefined {
    const kept = name === undefined ? undefined : this.ramps.get(name);
    if (!kept || kept.over || (kept.ramp.perProvider && provider === null)) return undefined;
    return this.poolOf(kept, provider);
  }

  private poolOf(kept: Kept, takenBy: string | null): Pool {
    const { transport, perProvider } = kept.ramp;
    const now = this.now();
    if (now >= kept.endsAt) {
      kept.day = rampDayAt(now, kept.offsetAt);
      kept.endsAt = nextRampDay(now, kept.offsetAt);
    }
    const provider = perProvider ? takenBy : null;
    const name = `${transport}/${provider ?? ''}`;
    const known = this.pools.get(name);
    if (known?.key.day === kept.day) return known;
    const key = { transport, provider, day: kept.day };
    const pool: Pool = { kept, key, free: 0, wanted: new Set(), asking: null, fullUntil: 0, idle: undefined };
    this.pools.set(name, pool);
    if (known) void this.empty(known);
    return pool;
  }

  private full({ ramp, endsAt }: Kept, id: string): Room {
    const spread = (SPREAD_MS * mixed(fnv1a(id))) / 2 ** 32;
    return { laterMs: endsAt - this.now() + spread, why: rampWait(ramp.transport), other: ramp.overflow === 'other' };
  }

  private async fetchFor(pool: Pool, ids: readonly string[]): Promise<void> {
    while (pool.asking) await pool.asking;
    for (const id of ids) pool.wanted.add(id);
    await this.fetch(pool);
  }

  private fetch(pool: Pool): Promise<void> {
    pool.asking ??= this.reserve(pool).finally(() => {
      pool.asking = null;
      this.changed();
    });
    return pool.asking;
  }

  private async reserve(pool: Pool): Promise<void> {
    // Others may be wanted within the same turn of the event loop.
    await Promise.resolve();
    const wanted = Math.max(0, pool.wanted.size - pool.free);
    try {
      const got = wanted > 0 ? await reserve(pool.kept.ramp, pool.key, wanted) : 0;
      if (got === null) pool.kept.over = true;
      else pool.free += got;
      if (got !== null && got < wanted) pool.fullUntil = this.now() + FULL_MS;
      this.emptyLater(pool);
    } catch (err) {
      this.core.log.warn({ err }, 'Mail over a transport with a ramp waits: its counter does not answer');
      await pause(FULL_MS);
    }
    pool.wanted.clear();
  }

  private giveBack(pool: Pool): void {
    if (this.pools.get(`${pool.key.transport}/${pool.key.provider ?? ''}`) !== pool) return this.note(pool.key, { used: -1 });
    pool.free++;
    this.emptyLater(pool);
    this.changed();
  }

  private emptyLater(pool: Pool): void {
    clearTimeout(pool.idle);
    pool.idle = pool.free > 0 ? setTimeout(() => void this.empty(pool), IDLE_MS).unref() : undefined;
  }

  private async empty(pool: Pool): Promise<void> {
    clearTimeout(pool.idle);
    const { free } = pool;
    pool.free = 0;
    if (free > 0) await this.counted(pool.key, { used: -free });
  }

  private note(key: DayKey, by: Parameters<typeof count>[1]): void {
    void this.counted(key, by);
  }

  /** Gives a reservation back. Never rejects: one that is not given back is one message fewer. */
  private counted(key: DayKey, by: Parameters<typeof count>[1]): Promise<void> {
    return count(key, by).catch((err: unknown) => this.core.log.warn({ err }, 'The counter of a ramp was not changed'));
  }
}

/** Room without a limit. */
export const FREE: Room = { take: () => NO_LEAVE };

const AFTER_DOT: ReadonlySet<string> = new Set(['final_dot', 'accepted']);

function isPolicy(outcome: SmtpOutcome): boolean {
  if (outcome.accepted || outcome.reply === null || outcome.phase === 'auth') return false;
  const { code, enhanced, text } = outcome.reply;
  return policyOf({ code, enhanced, words: text }) !== null;
}
