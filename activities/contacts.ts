import { Context } from '@temporalio/activity';
import { failImport, importSlice, planImport } from '../src/audience/lists/import-run';
import type { ImportHost } from '../src/audience/lists/import-run';
import type { Core } from '../src/platform/core/context';
import type { ContactImportInput, ContactImportProgress } from '../src/contracts/contact-import';

const BEAT_MS = 1_000;

/** Beats with the position, also while one batch takes long: an attempt that is late is not dead. */
async function beating<T>(maxFields: number, work: (host: ImportHost) => Promise<T>): Promise<T> {
  const context = Context.current();
  let position: unknown = null;
  const timer = setInterval(() => context.heartbeat(position), BEAT_MS);
  try {
    return await work({
      signal: context.cancellationSignal,
      maxFields,
      beat: (reached) => {
        position = reached;
      },
    });
  } finally {
    clearInterval(timer);
  }
}

export const contactActivities = ({ config: { MAX_FIELDS } }: Pick<Core, 'config'>) => ({
  /** Safe to retry: reads the file from its beginning and stores what follows from it. */
  planContactImport: (input: ContactImportInput): Promise<ContactImportProgress | null> =>
    beating(MAX_FIELDS, (host) => planImport(input, host)),

  /** Safe to retry: goes on at the stored position. */
  importContactRows: (input: ContactImportInput): Promise<ContactImportProgress | null> =>
    beating(MAX_FIELDS, (host) => importSlice(input, host)),

  /** Safe to retry: what has ended stays as it is. */
  failContactImport: (input: ContactImportInput): Promise<ContactImportProgress | null> => failImport(input),
});
