import { ancestors, processBirth } from './os-processes';

const LOOK_EVERY_MS = 500;

/**
 * Calls `then` when the npm that started us is gone, or the shell between. Neither hands every signal on to us, and one that is killed
 * cannot: nothing would be left that can stop the platform, and the next start would find its data in use.
 */
export function onEndOfNpm(then: () => void): void {
  const above = ancestors(process.pid);
  const npm = above.findIndex(({ args }) => args.some((arg) => /\bnpm\b/.test(arg)));
  if (npm < 0) return;
  const chain = above.slice(0, npm + 1).map(({ pid }) => ({ pid, birth: processBirth(pid) }));
  const timer = setInterval(() => {
    if (chain.every(({ pid, birth }) => processBirth(pid) === birth)) return;
    clearInterval(timer);
    then();
  }, LOOK_EVERY_MS);
  timer.unref();
}
