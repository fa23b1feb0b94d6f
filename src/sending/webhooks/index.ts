export {
  deliverTestEvent,
  deliveriesTellingOf,
  getDelivery,
  listDeliveries,
  replayDelivery,
  listGaps,
  replayWindow,
  endDeliveries,
  forgetInDeliveries,
  removeOldDeliveries,
} from './deliveries';
export type { DeliverySummary } from './deliveries';
export { WebhookHost } from './run';
export { resealWebhookSecrets } from './secrets';
export { checkRetries, restartLostRetries, endpointStates, longestDue } from './retries';
export { WEBHOOK_FORMATS } from './model';
export { createWebhook, deleteWebhook, listWebhooks, patchWebhook, isWebhookRemoved, removeDeliveriesOf } from './service';
export type { Shown } from './service';
export { wakeOverdueWebhooks } from './queue';
export { webhookDeliveries } from './event-deliveries';
