import { continueAsNew, setCurrentDetails, setHandler, sleep } from '@temporalio/workflow';
import type { QueryDefinition } from '@temporalio/workflow';
import type { CampaignKey } from '../src/contracts/campaign';
import { erasureProgressQuery, projectRemovalProgressQuery } from '../src/contracts/removals';
import type { ErasureInput, ErasureProgress, ProjectRemovalInput, RetentionBatchInput } from '../src/contracts/removals';
import type { WebhookKey } from '../src/contracts/webhook';
import { summarizedActivities } from './summarized';
import { isHistoryLong } from './turns';

const { removeCampaign, removeDeliveries } = summarizedActivities({
  taskQueue: 'bulk',
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Writes that were in flight when the thing was deleted have arrived by then. */
const GRACE = '5 minutes';
const IN_PROGRESS = 'until work in progress has ended';

async function removedTwice(remove: () => Promise<void>): Promise<void> {
  await remove();
  setCurrentDetails('Removed; then checks again for late writes');
  await sleep(GRACE, { summary: IN_PROGRESS });
  await remove();
}

/** Removes the data of a deleted campaign, and then again what was written late. */
export const campaignRemoval = (key: CampaignKey): Promise<void> => removedTwice(() => removeCampaign(key));

/** Removes the deliveries of a deleted endpoint, and then again what was written late. */
export const webhookRemoval = (key: WebhookKey): Promise<void> => removedTwice(() => removeDeliveries(key));

/** Tried until it succeeds: a removal that waits for the database is better than half of one. */
const { eraseTurn, removeProjectTurn } = summarizedActivities({
  taskQueue: 'bulk',
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

const HISTORY_LIMIT = 1_000;

interface Batches<Progress> {
  readonly query: QueryDefinition<Progress | null>;
  readonly batch: () => Promise<Progress>;
  readonly details: (progress: Progress) => string;
  readonly afresh: () => Promise<never>;
}

async function inBatches<Progress extends { readonly status: string; readonly waitMs: number }>({
  query,
  batch,
  details,
  afresh,
}: Batches<Progress>): Promise<void> {
  let progress: Progress | null = null;
  setHandler(query, () => progress);
  for (;;) {
    progress = await batch();
    setCurrentDetails(details(progress));
    if (progress.status === 'completed') return;
    if (progress.waitMs > 0) await sleep(progress.waitMs, { summary: IN_PROGRESS });
    if (isHistoryLong(HISTORY_LIMIT)) await afresh();
  }
}

/** Removes a project with everything, batch by batch. The progress is in its document. */
export const projectRemoval = (input: ProjectRemovalInput): Promise<void> =>
  inBatches({
    query: projectRemovalProgressQuery,
    batch: () => removeProjectTurn({ ...input, now: Date.now() }),
    details: ({ status, removed }) => `${status}: ${removed} rows removed`,
    afresh: () => continueAsNew<typeof projectRemoval>(input),
  });

/** Erases the data of deleted contacts, batch by batch. Its document holds the progress and the persons: the workflow has only ids and counts. */
export const erasure = (input: ErasureInput): Promise<void> =>
  inBatches({
    query: erasureProgressQuery,
    batch: () => eraseTurn({ ...input, now: Date.now() }),
    details: erasureDetails,
    afresh: () => continueAsNew<typeof erasure>(input),
  });

function erasureDetails({ status, contacts, erased, open }: ErasureProgress): string {
  const done = `${status}: ${erased} rows erased for ${contacts} deleted contact${contacts === 1 ? '' : 's'}`;
  return open > 0 ? `${done}; ${open} messages and events are on their way` : done;
}

/** A run that fails is followed by the next one of its schedule. */
const { retentionTurn } = summarizedActivities({
  taskQueue: 'bulk',
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { maximumAttempts: 5 },
});

/** Removes what is older than it is kept, batch by batch, until nothing is left. Run by a schedule. */
export async function retention(from: Pick<RetentionBatchInput, 'after'> = { after: null }): Promise<void> {
  let { after } = from;
  for (let removed = 0; ;) {
    const { counts, next } = await retentionTurn({ now: Date.now(), after });
    removed += Object.values(counts).reduce((sum, rows) => sum + rows, 0);
    setCurrentDetails(`${removed} rows and pages were removed or emptied`);
    if (!next) return;
    after = next.after;
    if (isHistoryLong(HISTORY_LIMIT)) await continueAsNew<typeof retention>({ after });
  }
}
