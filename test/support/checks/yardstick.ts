import { setTimeout as wait } from 'node:timers/promises';

/** The largest body: ten mebibytes of numbers. */
const LARGEST = `[${'1,'.repeat(5 * 1024 * 1024 - 2)}1]`;

const TRIES = 4;

/** Parses the largest body there may be: the time it takes measures the speed of this machine under its load. */
const parseTheMost = (): unknown => JSON.parse(LARGEST);

/** Resolves to the processor time of a piece of work in this process, in milliseconds: other processes do not count. */
export async function elapsed(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}

/** The same in the best of a few tries: what the work takes is in each of them, what a busy machine adds is not. */
export async function leastElapsed(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES; tries++) least = Math.min(least, await elapsed(work));
  return least;
}

/** The least of what goes beyond a limit in a few tries, 0 as soon as one stays within. */
async function leastBeyond(measure: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least > 0; tries++) least = Math.min(least, Math.max(0, await measure()));
  return least;
}

/**
 * Milliseconds of processor time by which a piece of work goes beyond what is generous, in the best of a few tries. Generous is far above
 * what was measured and far below what unguarded code takes (many seconds to minutes), and more where the machine is slow just now.
 */
export const excess = (work: () => unknown): Promise<number> =>
  leastBeyond(async () => {
    const took = await elapsed(work);
    return took <= 2_000 ? 0 : took - Math.max(2_000, 16 * (await elapsed(parseTheMost)));
  });

/** Resolves to the longest time that the event loop was blocked while `work` ran, and until its end was seen, in milliseconds. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const looking = setInterval(look, 1);
  try {
    await work();
    await wait(5);
    return longest;
  } finally {
    clearInterval(looking);
  }
}

/** Milliseconds by which `work` holds the event loop longer than others can bear (a fifth of a second), in the best of a few tries. */
export const unbearable = (work: () => Promise<unknown>): Promise<number> =>
  leastBeyond(async () => {
    const held = await longestHold(work);
    if (held <= 200) return 0;
    const began = performance.now();
    parseTheMost();
    return held - Math.max(200, 2 * (performance.now() - began));
  });
