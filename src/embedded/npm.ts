import { processArguments } from './os-processes';

const LOOK_EVERY_MS = 1000;

/**
 * Calls `then` when the npm that started us is gone. One that is killed cannot tell us: nobody would be left who can stop the
 * platform, and the next start would find its data in use.
 */
export function onEndOfNpm(then: () => void): void {
  const parent = process.ppid;
  if (!processArguments(parent)?.some((arg) => /\bnpm\b/.test(arg))) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    then();
  }, LOOK_EVERY_MS);
  timer.unref();
}
