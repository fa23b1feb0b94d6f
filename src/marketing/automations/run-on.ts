import type { Core } from '../../platform/core';
import type { AdvanceInput, RunOn } from '../../contracts/automation';
import { advanceFrom } from './advance';
import { NOTHING_KNOWN } from './transitions';
import { wayOf } from './way';

/** A call ends after this time, so that other executions share the worker; the next call continues. */
const SHARE_MS = 2_000;

/**
 * Runs an execution, transition after transition, until it waits, has a server to call, or is over, and returns that with the nodes that it has left.
 * Each transition is recorded under a number that is used once: killed anywhere, it continues after the last recorded one.
 */
export async function runOn(core: Core, input: AdvanceInput, runId: string | null): Promise<RunOn> {
  const began = performance.now();
  let known = NOTHING_KNOWN;
  for (;;) {
    const elapsed = performance.now() - began;
    const advanced = await advanceFrom(core, { ...input, now: input.now + Math.round(elapsed) }, runId, known);
    const { todo, execution } = advanced;
    known = advanced.known;
    if (todo.next !== 'node' || elapsed > SHARE_MS) return { todo, way: wayOf(execution, input.known) };
  }
}
