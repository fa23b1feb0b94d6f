import globalSetup from '../support/run/global-setup';
import globalTeardown from '../support/run/global-teardown';
import { run as automation } from './automation';
import { run as campaign } from './campaign';
import { SHORT, run as cluster } from './cluster';
import { print, report } from './report';
import type { Figures } from './report';
import { run as restore } from './restore';
import { run as scheduled } from './scheduled';

type Run = (seed: number) => Promise<Figures>;

const RUNS: Readonly<Record<string, Run>> = { campaign, cluster, automation, restore, scheduled };
const SHORT_RUNS: Readonly<Record<string, Run>> = { cluster: (seed) => cluster(seed, SHORT) };

const USAGE = `Usage: npm run chaos -- <name> [seed] [--short]

Runs the platform for minutes while processes and servers are killed or cut off at random, checks
that no message is lost or repeated, and writes the figures into docs/design/crash-tests.md.
With the seed of an earlier run, it chooses the same faults. --short tries it out, in fewer
minutes, and only prints the figures.

Runs: ${Object.keys(RUNS).join(', ')}
With --short: ${Object.keys(SHORT_RUNS).join(', ')}
`;

/** Runs `npm run chaos -- <name> [seed] [--short]`: a long run in which things die at random. Its figures go to docs/design/crash-tests.md. */
async function main(args: readonly string[]): Promise<void> {
  if (args[0] === '--help') {
    process.stdout.write(USAGE);
    return;
  }
  const isShort = args.includes('--short');
  const [name = '', seed = String(Date.now() % 1_000_000)] = args.filter((arg) => arg !== '--short');
  const runs = isShort ? SHORT_RUNS : RUNS;
  const run = runs[name];
  if (!run) throw new Error(`Unknown run ${name}. Use ${Object.keys(runs).join(', ')}`);
  if (!/^\d+$/.test(seed)) throw new Error(`The seed must be a whole number, not ${seed}`);
  await globalSetup();
  try {
    const figures = await run(Number(seed));
    if (!isShort) report(name, figures);
    print(figures);
  } finally {
    await globalTeardown();
  }
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
