export { count, reserve, listRamps, runningRamps } from './ledger';
export type { DayKey } from './ledger';
export { moveRamp, startForgottenRamps } from './move';
export { rampToday, rampWait } from './today';
export type { RampToday } from './today';
