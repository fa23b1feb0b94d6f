import { PATCHES } from '../src/contracts/patches';

/** Whether new workflows take the way of a patch. */
export type PatchGate = (patch: string) => boolean;

/**
 * Lets the patches wait for which processes of earlier releases are not shut out yet; `oldest` is the oldest schema version whose processes may run. Null when
 * none has to: to ask costs each workflow a way to the main thread and back.
 */
export function patchGate(oldest: () => number, patches = PATCHES): PatchGate | null {
  const isOn = (version: number): boolean => version <= oldest();
  if (Object.values(patches).every(isOn)) return null;
  return (patch) => isOn(patches[patch] ?? Number.POSITIVE_INFINITY);
}
