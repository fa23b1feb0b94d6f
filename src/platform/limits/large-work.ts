import { FairQueue } from '../fair';
import { perCore } from '../core';
import type { Core } from '../core';

/** Work on less waits for nothing. */
const LARGE_BYTES = 65_536;
/** After large work the process, and the machine, is for others three times as long as it took, but no longer than a tenth of a second. */
const PAUSE = { times: 3, mostMs: 100 } as const;

const placesOf = perCore<FairQueue, Pick<Core, 'config'>>(() => new FairQueue({ most: 1 }));

/**
 * Resolves when work on so many bytes may hold the process: right after, and in one go. Large work goes one piece at a time, projects in turns, with a pause for
 * all else after each piece. Work on less than 64 KiB waits for nothing.
 */
export async function turnFor({ core, projectId }: { readonly core: Core; readonly projectId: string }, bytes: number): Promise<void> {
  if (bytes < LARGE_BYTES) return;
  const leave = await placesOf(core).take(projectId);
  const began = performance.now();
  setImmediate(() => setTimeout(() => leave?.(), Math.min(PAUSE.mostMs, PAUSE.times * (performance.now() - began))));
}
