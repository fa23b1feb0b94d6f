export type { AuditEntry, Change } from './model';
export { readAudit, recordChange } from './service';
