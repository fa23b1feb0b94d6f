export { askNow, mayRemind, outboxWaiting, startNow, startSoon, sweepOutbox, want } from './service';
export { checkAllNow, sweepUnderWay } from './under-way';
