import type { Core } from '../src/context';
import type { DeliveryHost } from '../src/delivery/host';
import { deliveryActivities } from './delivery';
import { orchestrationActivities } from './orchestration';

export interface ActivityDeps {
  readonly core: Core;
  /** Only in worker processes that take the queue `delivery`. */
  readonly delivery: DeliveryHost | null;
}

export const createActivities = ({ core, delivery }: ActivityDeps) => ({
  ...orchestrationActivities(core),
  ...deliveryActivities(delivery),
});

export type Activities = ReturnType<typeof createActivities>;
