import { failImport, importSlice, planImport } from '../src/audience/lists';
import type { ImportHost } from '../src/audience/lists';
import { endSnooze } from '../src/audience/contacts';
import type { EndSnoozeInput } from '../src/contracts/snooze';
import type { Core } from '../src/platform/core';
import type { ContactImportInput, ContactImportProgress } from '../src/contracts/contact-import';
import { withHeartbeat } from './with-heartbeat';

const BEAT_MS = 1_000;

/** Sends the position that was reached with each heartbeat. */
function beating<T>(core: ImportHost['core'], work: (host: ImportHost) => Promise<T>): Promise<T> {
  let position: unknown = null;
  const beat = (reached: unknown): void => {
    position = reached;
  };
  return withHeartbeat(
    BEAT_MS,
    ({ signal }) => work({ signal, core, beat }),
    () => position,
  );
}

export const contactActivities = (core: Pick<Core, 'config'>) => ({
  /**
   * Plans the ranges of an import; null if it is over. Safe to retry: reads the file from its beginning and stores what follows from it.
   */
  planContactImport: (input: ContactImportInput): Promise<ContactImportProgress | null> => beating(core, (host) => planImport(input, host)),

  /** Imports the next rows of a file. Safe to retry: continues at the stored position. */
  importContactRows: (input: ContactImportInput): Promise<ContactImportProgress | null> =>
    beating(core, (host) => importSlice(input, host)),

  /** Ends the pauses of contacts that are over. Safe to retry: a pause that has ended is in no contact any more. */
  endSnooze: (input: EndSnoozeInput): Promise<string | null> => endSnooze(input),

  /** Marks an import as failed. Safe to retry: what has ended stays as it is. */
  failContactImport: (input: ContactImportInput): Promise<ContactImportProgress | null> => failImport(input),
});
