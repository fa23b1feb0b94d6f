import globalSetup from '../support/run/global-setup';
import globalTeardown from '../support/run/global-teardown';
import { run as automation } from './automation';
import { run as campaign } from './campaign';
import { run as cluster } from './cluster';
import { report } from './report';
import type { Figures } from './report';
import { run as restore } from './restore';
import { run as scheduled } from './scheduled';

const RUNS: Readonly<Record<string, (seed: number) => Promise<Figures>>> = { campaign, cluster, automation, restore, scheduled };

const USAGE = `Usage: npm run chaos -- <name> [seed]

Runs the platform for minutes while processes and servers are killed at random, checks
that no message is lost or repeated, and writes the figures into docs/design/crash-tests.md.
With the seed of an earlier run, it chooses the same faults.

Runs: ${Object.keys(RUNS).join(', ')}
`;

/** Runs `npm run chaos -- <name> [seed]`: a long run in which things die at random. Its figures go to docs/design/crash-tests.md. */
async function main([name = '', seed = String(Date.now() % 1_000_000)]: readonly string[]): Promise<void> {
  if (name === '--help') {
    process.stdout.write(USAGE);
    return;
  }
  const run = RUNS[name];
  if (!run) throw new Error(`Unknown run ${name}. Use ${Object.keys(RUNS).join(', ')}`);
  if (!/^\d+$/.test(seed)) throw new Error(`The seed must be a whole number, not ${seed}`);
  await globalSetup();
  try {
    report(name, await run(Number(seed)));
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
