export { ingestEvent } from './ingest';
export type { Ingested } from './ingest';
export { listEvents } from './list';
export { removeEvents } from './remove';
export { eventAutomations, eventUsage } from './event-usage';
export type { EventUsage } from './event-usage';
