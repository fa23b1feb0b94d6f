import { CROWD, FairQueue } from '../../platform/fair';
import { perCore } from '../../platform/core';
import type { Core } from '../../platform/core';

/**
 * Concurrent calls of this process to Temporal for executions. A crowd that enters an automation, or continues, causes as many calls; made
 * all at once, they would take the server's whole time for seconds, in which it hands out no task to anybody.
 */
const AT_ONCE = 4;
/** For projects that have few. */
const SPARE = 4;

/** While no other project has begun or nudged one for a while. */
const ALONE = { most: 24, afterMs: CROWD.aloneMs };

const places = perCore(() => new FairQueue({ most: AT_ONCE, spare: SPARE, alone: ALONE }));

/** Calls Temporal for an execution once its project has a free place. */
export async function withPlace(core: Core, projectId: string, call: () => Promise<void>): Promise<void> {
  const leave = await places(core).take(projectId);
  try {
    await call();
  } finally {
    leave?.();
  }
}
