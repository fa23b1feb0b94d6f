import { Context } from '@temporalio/activity';
import type { Core } from '../src/platform/core/context';
import type { ProjectRemovalProgress, ProjectRemovalTurnInput } from '../src/contracts/project-removal';
import { removalTurn } from '../src/upkeep/project-removal/turn';

const BEAT_MS = 5_000;

export const projectRemovalActivities = (core: Core) => ({
  /** Safe to retry: goes on at the collection that its document names, and what is removed is not found again. */
  async removeProjectTurn({ now, ...key }: ProjectRemovalTurnInput): Promise<ProjectRemovalProgress> {
    const context = Context.current();
    const timer = setInterval(() => context.heartbeat(), BEAT_MS);
    try {
      return await removalTurn(core, key, new Date(now), context.cancellationSignal);
    } finally {
      clearInterval(timer);
    }
  },
});
