import type { Core } from '../src/platform/core';
import type { ProjectRemovalProgress, ProjectRemovalBatchInput } from '../src/contracts/project-removal';
import { continueRemoval } from '../src/upkeep/project-removal';
import { withHeartbeat } from './with-heartbeat';

const BEAT_MS = 5_000;

export const projectRemovalActivities = (core: Core) => ({
  /**
   * Carries out one batch of a project's removal. Safe to retry: continues at the collection that its document names, and does not find
   * removed rows again.
   */
  async removeProjectTurn({ now, ...key }: ProjectRemovalBatchInput): Promise<ProjectRemovalProgress> {
    return withHeartbeat(BEAT_MS, ({ signal }) => continueRemoval(core, key, new Date(now), signal));
  },
});
