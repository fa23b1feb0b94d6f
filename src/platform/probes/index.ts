export { listenForOperators } from './listener';
export { PROBE_PATHS, Probes, isProbePath } from './probes';
export type { ProbeAnswer, ProbePath } from './probes';
export { checked } from './upkeep';
export type { Check } from './upkeep';
