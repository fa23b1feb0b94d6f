export type { AuditEntry, Change } from './model';
export { allAudit, noteChange, readAudit, recordChange } from './service';
