/** Rounds in which all works run alternately, so that a change of the machine's load affects all of them. */
export const ROUNDS = 9;
const ROUND_MILLISECONDS = 120;
const RUNS_BETWEEN_LOOKS = 20;

export interface Work {
  readonly label: string;
  readonly work: () => void | Promise<void>;
}

async function round(work: Work['work']): Promise<number> {
  const start = process.hrtime.bigint();
  const end = start + BigInt(ROUND_MILLISECONDS) * 1_000_000n;
  let runs = 0;
  while (process.hrtime.bigint() < end) {
    for (let each = 0; each < RUNS_BETWEEN_LOOKS; each++) {
      const done = work();
      if (done) await done;
    }
    runs += RUNS_BETWEEN_LOOKS;
  }
  return Number(process.hrtime.bigint() - start) / 1_000 / runs;
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;

/** Prints the median microseconds of each work, and its ratio to the first one's. */
export async function printRounds(title: string, works: readonly Work[]): Promise<void> {
  const times = works.map((): number[] => []);
  for (let count = 0; count <= ROUNDS; count++) {
    for (const [index, { work }] of works.entries()) {
      const time = await round(work);
      if (count > 0) times[index]?.push(time);
    }
  }
  const base = median(times[0] ?? []);
  process.stdout.write(`\n${title}\n`);
  works.forEach(({ label }, index) => {
    const time = median(times[index] ?? []);
    process.stdout.write(`  ${label.padEnd(52)}${time.toFixed(2).padStart(9)} µs ${(time / base).toFixed(2).padStart(7)} ×\n`);
  });
}
