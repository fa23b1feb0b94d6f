export { Listener } from './listener';
export { listeningPumps, wakeDelivery, wakeFanOut, wakeWebhooks, wakeWebhooksNow } from './service';
export { WakeWatch } from './watch';
