import { ActivityFailure, continueAsNew, isCancellation, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { contactImportProgressQuery } from '../src/contracts/contacts';
import type { ContactImportInput, ContactImportProgress } from '../src/contracts/contacts';
import { summarizedActivities } from './summarized';
import { isHistoryLong } from './turns';

const HEARTBEAT = '6 seconds';
/** Waits for an unavailable database; a failure that lasts a day is a defect. */
const PATIENCE = '1 day';
const retry = { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' } as const;

const { planContactImport } = summarizedActivities({
  taskQueue: 'bulk',
  startToCloseTimeout: '4 hours',
  scheduleToCloseTimeout: PATIENCE,
  heartbeatTimeout: HEARTBEAT,
  retry,
});

const { importContactRows } = summarizedActivities({
  taskQueue: 'bulk',
  startToCloseTimeout: '5 minutes',
  scheduleToCloseTimeout: PATIENCE,
  heartbeatTimeout: HEARTBEAT,
  retry,
});

const { failContactImport } = summarizedActivities({ taskQueue: 'bulk', startToCloseTimeout: '1 minute', retry });

const HISTORY_LIMIT = 2_000;

const NONE: ContactImportProgress = { status: 'queued', totalRows: null, processed: 0, created: 0, updated: 0, skipped: 0, failed: 0 };

/** Imports the contacts of a CSV file, slice by slice. The position is in the import's document; the activities continue there. */
export async function contactImport(input: ContactImportInput): Promise<void> {
  let progress: ContactImportProgress = NONE;
  setHandler(contactImportProgressQuery, () => progress);
  const note = (reached: ContactImportProgress | null): boolean => {
    progress = reached ?? progress;
    setCurrentDetails(detailsOf(progress));
    return reached?.status === 'processing';
  };
  try {
    let going = note(await planContactImport(input));
    while (going) {
      going = note(await importContactRows(input));
      if (going && isHistoryLong(HISTORY_LIMIT)) await continueAsNew<typeof contactImport>(input);
    }
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    note(await failContactImport(input));
  }
}

const detailsOf = ({ status, totalRows, processed, created, updated, skipped, failed }: ContactImportProgress): string =>
  `${status}: ${processed} of ${totalRows ?? 'unknown'} rows; ${created} created, ${updated} updated, ${skipped} skipped, ${failed} failed`;
