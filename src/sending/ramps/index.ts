export { count, reserve, listRamps, runningRamps, rampToday, rampWait, moveRamp, startForgottenRamps } from './ledger';
export type { DayKey, RampToday } from './ledger';
