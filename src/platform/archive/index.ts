export { ARCHIVED_AT, archivedFilter, archiving, refuseArchived } from './archive';
export type { Archivable } from './archive';
