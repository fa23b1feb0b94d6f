export type { AuditEntry, Change } from './model';
export { allAudit, readAudit, recordChange } from './service';
