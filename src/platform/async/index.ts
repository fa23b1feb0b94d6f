export { chunks } from './chunks';
export { Runs } from './runs';
export { afterwards, answer, withinLimit } from './time-limit';
export { pause, untilDone } from './until-done';
export { yielder } from './yielder';
