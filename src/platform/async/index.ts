export { chunks, inLanes, Runs, yielder, pause, untilDone, afterwards, answer, withinLimit } from './async';
