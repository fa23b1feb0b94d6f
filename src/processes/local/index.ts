export { fetchScope, findMongod } from './binaries';
export { openDataDir, secretIfThere } from './data-dir';
export type { DataDir } from './data-dir';
export { isHeldByUs, takeLock } from './lock';
export type { Lock } from './lock';
export { mongoUriAt, mongodCommand, mongodReady, runningMongod } from './mongod';
export { keptPorts } from './ports';
