import type { WebhookKey } from '../src/contracts/webhook';
import { REMOVAL, removedTwice } from './removed-twice';
import { summarizedActivities } from './summarized';

const { removeDeliveries } = summarizedActivities(REMOVAL);

/** Removes the deliveries of a deleted endpoint, and then again what was written late. */
export const webhookRemoval = (key: WebhookKey): Promise<void> => removedTwice(() => removeDeliveries(key));
