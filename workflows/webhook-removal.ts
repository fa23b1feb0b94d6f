import type { WebhookKey } from '../src/contracts/webhook';
import { REMOVAL, removedTwice } from './removed-twice';
import { summarizedActivities } from './summarized';

const { removeDeliveries } = summarizedActivities(REMOVAL);

/** Removes the deliveries of a deleted endpoint, and once more what came after it. */
export const webhookRemoval = (key: WebhookKey): Promise<void> => removedTwice(() => removeDeliveries(key));
