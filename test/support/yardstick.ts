/** As many bytes as a body may have: ten mebibytes of numbers. */
const LARGEST = `[${'1,'.repeat(5 * 1024 * 1024 - 2)}1]`;

/** Parses the largest body there may be: how long that takes tells what this machine does in a time, as busy as it is. */
export const parseTheMost = (): unknown => JSON.parse(LARGEST);

/** Tells the processor time that this process has taken since, in milliseconds: others that run beside it do not count. */
export function processorTime(): () => number {
  const begun = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1_000;
  };
}

/** Processor time that a piece of work takes this process, in milliseconds. */
export function elapsed(work: () => unknown): number {
  const took = processorTime();
  work();
  return took();
}

/** Far above what was measured, far below what unguarded code takes (seconds to minutes); more where the machine is slow just now. */
export const generousMilliseconds = (): number => Math.max(1_000, 8 * elapsed(parseTheMost));
