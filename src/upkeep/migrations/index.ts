export { knownParts } from './gate';
export type { KnownPart } from './gate';
export { readSchema } from './lease';
export { Membership } from './membership';
export { migrateAll } from './migrate';
export { refuseNewer, schemaStatus } from './status';
