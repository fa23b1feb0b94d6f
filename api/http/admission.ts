import type { Request, Response } from 'express';
import type { Context, Core } from '../../src/platform/core';
import type { KeyRates, KeyUses } from '../../src/records/projects';
import { rateHeaders } from '../../src/platform/core';
import { withinLimit } from '../../src/platform/async';
import { callerOf, scopeFault } from './auth';
import type { Caller } from './auth';
import type { Endpoint } from './endpoint';
import { stateOf } from './state';

const KEY_MS = 10_000;

/** What the API knows of keys beside their rows. */
export interface KeyBooks {
  readonly rates: KeyRates;
  readonly uses: KeyUses;
}

interface Admitted {
  /** Both null where no key is asked for. */
  readonly ctx: Context | null;
  readonly caller: Caller | null;
  /** Gives the unit back that the request took: a replay takes nothing. */
  readonly giveBack: () => void;
}

/** Authenticates the caller, where the operation needs a key, and takes a unit of its rate limit. A refusal comes before the body is read: it costs little and has no effect. */
export async function admitted(core: Core, { rates, uses }: KeyBooks, endpoint: Endpoint, req: Request, res: Response): Promise<Admitted> {
  if (endpoint.access === 'none') return { ctx: null, caller: null, giveBack: () => undefined };
  const state = stateOf(res);
  // What a key opens is for its holder alone; caches know that of `Authorization`, not of `X-API-Key`.
  res.set('Cache-Control', 'no-store');
  const caller = await withinLimit(KEY_MS, () => callerOf(core, req, state.requestId, endpoint));
  const { ctx, key, isKey } = caller;
  state.projectId = ctx.projectId;
  if (isKey) uses.note(key.hash);
  const refusal = scopeFault(caller, endpoint);
  if (!refusal && (endpoint.limits?.ownRate || ctx.keyKind === 'public')) return { ctx, caller, giveBack: () => undefined };
  // What a key may not do it cannot try without end either.
  res.set(rateHeaders(await withinLimit(KEY_MS, () => rates.take(key.hash))));
  if (refusal) throw refusal;
  return { ctx, caller, giveBack: () => res.set(rateHeaders(rates.giveBack(key.hash))) };
}
