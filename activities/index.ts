import type { Core } from '../src/platform/core';
import type { DeliveryHost } from '../src/sending/deliver';
import type { FanOutHost } from '../src/records/fan-out';
import type { WebhookHost } from '../src/sending/webhooks';
import { approvalActivities } from './approvals';
import { automationActivities } from './automations';
import { campaignSeriesActivities } from './campaign-series';
import { campaignActivities } from './campaigns';
import { contactUpkeepActivities } from './contact-upkeep';
import { contactActivities } from './contacts';
import { deliveryActivities } from './delivery';
import { domainActivities } from './domains';
import { erasureActivities } from './erasure';
import { fanOutActivities } from './fan-out';
import { optInActivities } from './opt-in';
import { orchestrationActivities } from './orchestration';
import { paymentActivities } from './payments';
import { projectRemovalActivities } from './project-removal';
import { rampActivities } from './ramps';
import { retentionActivities } from './retention';
import { segmentActivities } from './segments';
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
  ...approvalActivities(core),
  ...automationActivities(core),
  ...campaignActivities(core),
  ...campaignSeriesActivities(core),
  ...contactActivities(core),
  ...contactUpkeepActivities(core),
  ...deliveryActivities(delivery),
  ...domainActivities(core),
  ...erasureActivities(core),
  ...fanOutActivities(core, fanOut),
  ...optInActivities(core),
  ...paymentActivities(core),
  ...projectRemovalActivities(core),
  ...rampActivities(core),
  ...retentionActivities(core),
  ...segmentActivities(core),
  ...webhookActivities(core, webhooks),
});

export type Activities = ReturnType<typeof createActivities>;
