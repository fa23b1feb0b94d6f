import { Context } from '@temporalio/activity';
import { endSnooze, recountFields, sumUpFields, sweepErasures } from '../src/audience/contacts';
import { failImport, importSlice, planImport } from '../src/audience/lists';
import type { ImportHost } from '../src/audience/lists';
import { foldCounts, sweepRemovals, sweepSegments } from '../src/audience/segments';
import type { ContactImportInput, ContactImportProgress, EndSnoozeInput } from '../src/contracts/contacts';
import type { SegmentSweepInput } from '../src/contracts/rounds';
import type { Core } from '../src/platform/core';
import { allProjects } from '../src/records/projects';
import { withHeartbeat } from './with-heartbeat';

const BEAT_MS = 5_000;
const SWEEP_BEAT_MS = 2_000;
const IMPORT_BEAT_MS = 1_000;

export const audienceActivities = (core: Core) => {
  const importing = <T>(work: (host: ImportHost) => Promise<T>): Promise<T> =>
    withHeartbeat(IMPORT_BEAT_MS, (beating) => work({ ...beating, core }));

  return {
    /** Plans the ranges of an import; null if it is over. Safe to retry: reads the file from its beginning and stores what follows from it. */
    planContactImport: (input: ContactImportInput): Promise<ContactImportProgress | null> => importing((host) => planImport(input, host)),

    /** Imports the next rows of a file. Safe to retry: continues at the stored position. */
    importContactRows: (input: ContactImportInput): Promise<ContactImportProgress | null> => importing((host) => importSlice(input, host)),

    /** Ends the pauses of contacts that are over. Safe to retry: a pause that has ended is in no contact any more. */
    endSnooze: (input: EndSnoozeInput): Promise<string | null> => endSnooze(input),

    /** Marks an import as failed. Safe to retry: what has ended stays as it is. */
    failContactImport: (input: ContactImportInput): Promise<ContactImportProgress | null> => failImport(input),

    /** Finishes deletions of contacts and sums up counts of fields. Safe to retry: what is taken out of a row is not in it the second time, and what is summed up waits no more. */
    async sweepContacts(): Promise<number> {
      return (await sweepErasures(core, new Date())) + (await sumUpFields());
    },

    /** Goes through all projects. Safe to retry: continues where it was. Resolves to the number of wrong counts. */
    recountContactFields(): Promise<number> {
      const done = (Context.current().info.heartbeatDetails as string | undefined) ?? '';
      return withHeartbeat(BEAT_MS, async ({ signal, beat }) => {
        let wrong = 0;
        beat(done);
        for await (const { _id: projectId } of allProjects(done)) {
          const mended = await recountFields(projectId);
          if (mended > 0) core.log.warn({ projectId, mended }, 'Counts of contact fields were wrong');
          wrong += mended;
          beat(projectId);
          signal.throwIfAborted();
        }
        return wrong;
      });
    },

    /** Compares segments with all contacts. Safe to retry, and to run twice at once: a contact that is in by then is no difference any more. Resolves to how many came and went. */
    sweepSegments({ now }: SegmentSweepInput): Promise<number> {
      const ahead = now - performance.now();
      return withHeartbeat(SWEEP_BEAT_MS, async ({ signal, beat }) => {
        await sweepRemovals(new Date(now));
        return sweepSegments(core, { clock: () => new Date(performance.now() + ahead), signal, beat });
      });
    },

    /** Adds changes of memberships to the stored counts of segments. Safe to retry: a change is in the sum or waits, never both. */
    foldSegmentCounts: (): Promise<number> => foldCounts(),
  };
};
