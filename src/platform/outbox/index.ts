export { mayRemind } from './seldom';
export { askNow, outboxWaiting, startNow, startSoon, sweepOutbox, want } from './service';
export { checkAllNow, sweepUnderWay } from './under-way';
