export { count, reserve } from './ledger';
export type { DayKey } from './ledger';
export { listRamps, rampsRemaining } from './list';
export { moveRamp, startForgottenRamps } from './move';
