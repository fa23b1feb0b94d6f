import { FairQueue } from '../fair';
import { perCore } from '../core';
import type { Core } from '../core';

/** Work on less waits for nothing. */
const LARGE_BYTES = 65_536;
/** Pause after large work, for other work: three times the time that it took, at most a tenth of a second. */
const PAUSE = { times: 3, mostMs: 100 } as const;

const placesOf = perCore<FairQueue, Pick<Core, 'config'>>(() => new FairQueue({ most: 1 }));

/**
 * Resolves when work on this many bytes may block the process, immediately afterwards and without a pause. Large works run one at a time,
 * fairly between projects, with a pause for all other work after each. Work on less than 64 KiB never waits.
 */
export async function awaitLargeWork(
  { core, projectId }: { readonly core: Core; readonly projectId: string },
  bytes: number,
): Promise<void> {
  if (bytes < LARGE_BYTES) return;
  const leave = await placesOf(core).take(projectId);
  const began = performance.now();
  setImmediate(() => setTimeout(() => leave?.(), Math.min(PAUSE.mostMs, PAUSE.times * (performance.now() - began))));
}
