import type { Core } from '../src/platform/core';
import type { DeliveryHost } from '../src/sending/deliver';
import type { FanOutHost } from '../src/records/fan-out';
import type { WebhookHost } from '../src/sending/webhooks';
import { automationActivities } from './automations';
import { campaignActivities } from './campaigns';
import { contactUpkeepActivities } from './contact-upkeep';
import { contactActivities } from './contacts';
import { deliveryActivities } from './delivery';
import { domainActivities } from './domains';
import { fanOutActivities } from './fan-out';
import { orchestrationActivities } from './orchestration';
import { paymentActivities } from './payments';
import { segmentActivities } from './segments';
import { turnActivities } from './turns';
import { webhookActivities } from './webhooks';

export interface ActivityDeps {
  readonly core: Core;
  /** Only in worker processes that take the queue `delivery`. */
  readonly delivery: DeliveryHost | null;
  /** Only in worker processes that take the queue `pumps`. */
  readonly fanOut: FanOutHost | null;
  /** Only in worker processes that take the queue `http`. */
  readonly webhooks: WebhookHost | null;
}

export const createActivities = ({ core, delivery, fanOut, webhooks }: ActivityDeps) => ({
  ...orchestrationActivities(core),
  ...automationActivities(core),
  ...campaignActivities(core),
  ...contactActivities(core),
  ...contactUpkeepActivities(core),
  ...deliveryActivities(delivery),
  ...domainActivities(core),
  ...fanOutActivities(core, fanOut),
  ...paymentActivities(core),
  ...segmentActivities(core),
  ...turnActivities(core),
  ...webhookActivities(core, webhooks),
});

export type Activities = ReturnType<typeof createActivities>;
