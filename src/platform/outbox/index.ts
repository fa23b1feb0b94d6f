export { askNow, mayRemind, outboxWaiting, startNow, startSoon, sweepOutbox, want } from './service';
export { lookAtAll, sweepUnderWay } from './under-way';
