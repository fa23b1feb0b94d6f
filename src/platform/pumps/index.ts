export { PumpLoop } from './loop';
export type { Look, Pump, PumpRunOptions, PumpTimes } from './loop';
export { wakeForgotten } from './sweep';
