import { run as campaign } from './campaign';
import { run as contacts } from './contacts';
import { run as events } from './events';
import { run as executions } from './executions';
import { run as importing } from './import';
import { run as latency } from './latency';
import { run as pump } from './pump';
import { run as render } from './render';
import { run as scale } from './scale';
import { run as scheduled } from './scheduled';
import { run as sendApi } from './send-api';

const BENCHMARKS: Readonly<Record<string, () => Promise<void>>> = {
  campaign,
  events,
  executions,
  'send-api': sendApi,
  pump,
  render,
  latency,
  scale,
  scheduled,
  contacts,
  import: importing,
};

/** `npm run bench -- <name>`: one benchmark, or all of them. */
async function main(): Promise<void> {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !(name in BENCHMARKS));
  if (unknown.length > 0) throw new Error(`No benchmark is called ${unknown.join(', ')}; there are ${Object.keys(BENCHMARKS).join(', ')}`);
  for (const name of names.length > 0 ? names : Object.keys(BENCHMARKS)) await BENCHMARKS[name]?.();
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
