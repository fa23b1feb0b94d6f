import { Context } from '@temporalio/activity';
import { recountFields, sumUpFields, sweepErasures } from '../src/audience/contacts';
import type { Core } from '../src/platform/core';
import { allProjects } from '../src/records/projects';
import { withHeartbeat } from './with-heartbeat';
import type { Beating } from './with-heartbeat';

const BEAT_MS = 5_000;

export const contactUpkeepActivities = (core: Core) => ({
  /** Finishes deletions of contacts and sums up counts of fields. Safe to retry: what is taken out of a row is not in it the second time, and what is summed up waits no more. */
  async sweepContacts(): Promise<number> {
    return (await sweepErasures(core, new Date())) + (await sumUpFields());
  },

  /** Goes through all projects. Safe to retry: continues where it was. Resolves to the number of wrong counts. */
  async recountContactFields(): Promise<number> {
    let done = (Context.current().info.heartbeatDetails as string | undefined) ?? null;
    const work = async ({ signal, beat }: Beating): Promise<number> => {
      let wrong = 0;
      for await (const { _id: projectId } of allProjects(done ?? '')) {
        const mended = await recountFields(projectId);
        if (mended > 0) core.log.warn({ projectId, mended }, 'Counts of contact fields were wrong');
        wrong += mended;
        done = projectId;
        beat();
        signal.throwIfAborted();
      }
      return wrong;
    };
    return withHeartbeat(BEAT_MS, work, () => done);
  },
});
