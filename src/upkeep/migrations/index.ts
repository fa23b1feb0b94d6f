export { knownParts, readSchema } from './gate';
export type { KnownPart } from './gate';
export { Membership } from './membership';
export { migrateAll } from './migrate';
export { refuseNewer, schemaStatus } from './status';
