export { mayRemind } from './seldom';
export { askNow, outboxWaiting, startNow, startSoon, sweepOutbox, want } from './service';
export { lookAtAll, sweepUnderWay } from './under-way';
