export { ingestEvent, listEvents, removeEvents, eventAutomations, eventUsage } from './service';
export type { Ingested, EventUsage } from './service';
