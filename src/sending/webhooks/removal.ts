import type { StartIntent } from '../../contracts/processes';
import { webhookRemovalId } from '../../contracts/webhook';
import type { WebhookKey } from '../../contracts/webhook';
import { removePage } from '../../platform/mongo';
import { DeliveryModel } from './delivery-model';
import { WebhookModel } from './model';

const PAGE = 2_000;

/** Returns the start of the workflow that removes an endpoint with its deliveries. */
export const removalIntent = (key: WebhookKey): StartIntent => ({
  kind: 'start',
  workflow: 'webhookRemoval',
  workflowId: webhookRemovalId(key.webhookId),
  input: key,
  summary: 'Removes the deliveries of a deleted webhook endpoint',
  attributes: key,
  lasts: true,
});

const isThere = async ({ webhookId, projectId }: WebhookKey): Promise<boolean> =>
  (await WebhookModel.exists({ _id: webhookId, projectId })) !== null;

/** Resolves to whether nothing is left of a deleted endpoint; one that exists again after a restore of the database keeps its deliveries. */
export const isWebhookRemoved = async (key: WebhookKey): Promise<boolean> =>
  (await isThere(key)) || (await DeliveryModel.exists({ projectId: key.projectId, webhookId: key.webhookId })) === null;

/** Removes all deliveries of an endpoint that is deleted, page by page, unless it exists again. Throws when aborted. */
export async function removeDeliveriesOf({ webhookId, projectId }: WebhookKey, signal: AbortSignal): Promise<void> {
  if (await isThere({ webhookId, projectId })) return;
  while ((await removePage(DeliveryModel, { projectId, webhookId }, PAGE)) === PAGE) signal.throwIfAborted();
}
