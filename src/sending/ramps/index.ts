export { count, reserve, listRamps, rampsRemaining } from './ledger';
export type { DayKey } from './ledger';
export { moveRamp, startForgottenRamps } from './move';
