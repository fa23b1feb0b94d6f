export type { AuditEntry, Change } from './model';
export { allAudit, listAudit, noteChange, readAudit, recordChange } from './service';
