export {
  AskedOnce,
  chunks,
  inLanes,
  Runs,
  yielder,
  pause,
  untilDone,
  afterwards,
  answer,
  eachSettled,
  unlessLate,
  withinLimit,
} from './async';
