export { ingestEvent } from './ingest';
export type { Ingested } from './ingest';
export { listEvents, removeEvents, eventAutomations, eventUsage } from './service';
export type { EventUsage } from './service';
