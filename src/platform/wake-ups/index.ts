export { Listener } from './listener';
export { listeningPumps, wakeDelivery, wakeDeliveryBy, wakeFanOut, wakeWebhooks, wakeWebhooksNow } from './service';
export { WakeWatch } from './watch';
