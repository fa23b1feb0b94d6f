import { PATCHES } from '../src/contracts/patches';

/** Whether new workflows take the way of a patch. */
export type PatchGate = (patch: string) => boolean;

/**
 * Holds patches back until the processes that do not know them are shut out; `oldest` is the oldest schema version whose processes may run. Null when none has to
 * wait: asking costs each workflow a round trip to the main thread.
 */
export function patchGate(oldest: () => number, patches = PATCHES): PatchGate | null {
  const isOn = (version: number): boolean => version <= oldest();
  if (Object.values(patches).every(isOn)) return null;
  return (patch) => isOn(patches[patch] ?? Number.POSITIVE_INFINITY);
}
