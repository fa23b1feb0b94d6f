export { askNow, mayRemind, outboxWaiting, startNow, startSoon, sweepOutbox, want, wantNow } from './service';
export { checkAllNow, nextCheck, sweepUnderWay } from './under-way';
