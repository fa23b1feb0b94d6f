export { afterwards } from './afterwards';
export { answer } from './answer';
export { chunks } from './chunks';
export { Runs } from './runs';
export { withinLimit } from './time-limit';
export { pause, untilDone } from './until-done';
export { yielder } from './yielder';
