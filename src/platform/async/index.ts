export { afterwards } from './afterwards';
export { batched, collected, gathered } from './batch';
export type { Collector } from './batch';
export { Breaker } from './breaker';
export type { BreakerTimes, Verdict } from './breaker';
export { chunks } from './chunks';
export { Runs } from './runs';
export { withinLimit } from './time-limit';
export { turnTaker } from './turn-taker';
