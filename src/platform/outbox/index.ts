export { askNow, mayRemind, outboxWaiting, startNow, startSoon, sweepOutbox, want } from './service';
export { checkAllNow, nextCheck, sweepUnderWay } from './under-way';
