import type { Request, Response } from 'express';
import type { Context, Core } from '../../src/context';
import type { KeyRates } from '../../src/projects/key-rates';
import { rateHeaders } from '../../src/rate-limit';
import { withinLimit } from '../../src/time-limit';
import { callerOf } from './auth';
import type { Endpoint } from './endpoint';
import { stateOf } from './state';

const KEY_MS = 10_000;

interface Admitted {
  readonly ctx: Context | null;
  /** Gives the unit back that the request took: a replay takes nothing. */
  readonly giveBack: () => void;
}

/** Who asks, if anybody is to be known, once the key has room for the request. A refusal comes before the body is read: it costs little and has no effect. */
export async function admitted(core: Core, rates: KeyRates, { auth, ownRate }: Endpoint, req: Request, res: Response): Promise<Admitted> {
  if (auth === 'none') return { ctx: null, giveBack: () => undefined };
  const state = stateOf(res);
  // What a key opens is for its holder alone; caches know that of `Authorization`, not of `X-API-Key`.
  res.set('Cache-Control', 'no-store');
  const { ctx, keyHash } = await withinLimit(KEY_MS, () => callerOf(core, req, state.requestId, auth === 'any'));
  state.projectId = ctx.projectId;
  if (ownRate || ctx.keyKind === 'public') return { ctx, giveBack: () => undefined };
  res.set(rateHeaders(await withinLimit(KEY_MS, () => rates.take(keyHash))));
  return { ctx, giveBack: () => res.set(rateHeaders(rates.giveBack(keyHash))) };
}
