import type { Core } from '../src/platform/core';
import type { ProjectRemovalProgress, ProjectRemovalTurnInput } from '../src/contracts/project-removal';
import { removalTurn } from '../src/upkeep/project-removal';
import { withHeartbeat } from './with-heartbeat';

const BEAT_MS = 5_000;

export const projectRemovalActivities = (core: Core) => ({
  /**
   * Carries out one turn of a project's removal. Safe to retry: continues at the collection that its document names, and does not find
   * removed rows again.
   */
  async removeProjectTurn({ now, ...key }: ProjectRemovalTurnInput): Promise<ProjectRemovalProgress> {
    return withHeartbeat(BEAT_MS, ({ signal }) => removalTurn(core, key, new Date(now), signal));
  },
});
