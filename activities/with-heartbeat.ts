import { Context } from '@temporalio/activity';

/** The context of an activity's work: its end, and a heartbeat in addition to the regular ones, with what the next attempt finds. */
export interface Beating {
  readonly signal: AbortSignal;
  readonly beat: (this: void, reached?: unknown) => void;
}

/**
 * Sends heartbeats while the work runs, also while a single query of it takes long: an attempt that is slow is not dead, and one that is dead is noticed when
 * it misses a few. A local activity has no heartbeats, and just works. `context` is known as an activity begins, and no
 * more once it has waited for something (docs/decisions/0069).
 */
export async function withHeartbeat<T>(
  everyMs: number,
  work: (beating: Beating) => Promise<T>,
  context: Context = Context.current(),
): Promise<T> {
  const signal = context.cancellationSignal;
  if (context.info.isLocal) return work({ signal, beat: () => undefined });
  let details: unknown;
  const beat = (reached = details): void => {
    details = reached;
    context.heartbeat(details);
  };
  const timer = setInterval(() => beat(), everyMs);
  try {
    return await work({ signal, beat });
  } finally {
    clearInterval(timer);
  }
}
