export { knownParts } from './gate';
export type { KnownPart } from './gate';
export { readSchema } from './lease';
export { Membership } from './membership';
export { migrateAll } from './migrate-all';
export { refuseNewer } from './standing';
export { schemaStatus } from './status';
