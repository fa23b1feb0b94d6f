import type { Request, Response } from 'express';
import type { Context, Core } from '../../src/platform/core';
import type { KeyRates, KeyUses } from '../../src/records/projects';
import { rateHeaders } from '../../src/platform/core';
import { withinLimit } from '../../src/platform/async';
import { PROBE_PATHS } from '../../src/platform/probes';
import { callerOf, grantFault } from './auth';
import type { Caller } from './auth';
import type { Endpoint } from './endpoint';
import { unavailable } from './errors';
import { stateOf, whenClosed } from './state';

const KEY_MS = 10_000;

/** Answered also without the database, and however much there is to do. */
export const ALWAYS_ANSWERED: ReadonlySet<string> = new Set(['/v1/health', '/v1/openapi.json', ...PROBE_PATHS]);

/** The requests in progress. With more than the process can answer in time, all would be late: it refuses the rest at once, to be retried. */
export class InFlight {
  private count = 0;

  constructor(private readonly most: number) {}

  /** Throws `unavailable` when there is no place for one more. */
  requirePlace({ path }: Endpoint): void {
    if (this.count < this.most || ALWAYS_ANSWERED.has(path)) return;
    throw unavailable('Too many requests are in progress; try again');
  }

  /** Takes a place until the response is sent. Called once the body has arrived, so that nobody keeps places by sending slowly. */
  enter(endpoint: Endpoint, res: Response): void {
    this.requirePlace(endpoint);
    if (res.closed) return;
    this.count++;
    whenClosed(res, () => this.count--);
  }
}

/** State of the API in addition to the rows of keys. */
export interface Books {
  readonly rates: KeyRates;
  readonly uses: KeyUses;
  readonly inFlight: InFlight;
}

interface Admitted {
  /** Both null where no key is asked for. */
  readonly ctx: Context | null;
  readonly caller: Caller | null;
  /** Gives the unit back that the request took: a replay takes nothing. */
  readonly giveBack: () => void;
}

/**
 * Looks for a place among the requests in flight, authenticates the caller, where the operation needs a key, and takes a unit of its rate limit. A refusal comes before
 * the body is read: it costs little and has no effect.
 */
export async function admitted(core: Core, books: Books, endpoint: Endpoint, req: Request, res: Response): Promise<Admitted> {
  const { rates, uses, inFlight } = books;
  inFlight.requirePlace(endpoint);
  if (endpoint.access === 'none') return { ctx: null, caller: null, giveBack: () => undefined };
  const state = stateOf(res);
  // What a key opens is for its holder alone; caches know that of `Authorization`, not of `X-API-Key`.
  res.set('Cache-Control', 'no-store');
  const caller = await withinLimit(KEY_MS, () => callerOf(core, req, state.requestId, endpoint));
  const { ctx, key, grant, isKey } = caller;
  state.projectId = ctx.projectId;
  if (isKey) uses.note(key.hash);
  const refusal = grantFault(grant, endpoint);
  if (!refusal && (endpoint.limits?.ownRate || ctx.keyKind === 'public')) return { ctx, caller, giveBack: () => undefined };
  // What a key may not do it cannot try without end either.
  res.set(rateHeaders(await withinLimit(KEY_MS, () => rates.take(key.hash, ctx.project))));
  if (refusal) throw refusal;
  return { ctx, caller, giveBack: () => res.set(rateHeaders(rates.giveBack(key.hash))) };
}
