export { chunks, Runs, yielder, pause, untilDone, afterwards, answer, withinLimit } from './async';
