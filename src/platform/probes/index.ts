export { listenForOperators } from './listener';
export type { Operators } from './listener';
export { PROBE_PATHS, Probes, isProbePath } from './probes';
export type { ProbeAnswer, ProbePath } from './probes';
export type { Check } from './upkeep';
