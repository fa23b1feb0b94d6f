import { isOverProcesses, overProcesses } from './api-processes';
import { run as campaign } from './campaign';
import { run as console } from './console';
import { run as contacts } from './contacts';
import { run as destinations } from './destinations';
import { run as events } from './events';
import { run as executions } from './executions';
import { run as importing } from './import';
import { run as latency } from './latency';
import { run as lost } from './lost';
import { run as neighbours } from './neighbours';
import { run as pump } from './pump';
import { run as queue } from './queue';
import { run as render } from './render';
import { run as scale } from './scale';
import { run as scheduled } from './scheduled';
import { run as sendApi } from './send-api';
import { run as submission } from './submission';
import { run as writes } from './writes';
import { BadOption, withoutOptions } from './support/options';

const BENCHMARKS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  campaign,
  neighbours,
  events: (args) => (isOverProcesses(args) ? overProcesses('/v1/events', args) : withoutOptions(events)(args)),
  destinations: withoutOptions(destinations),
  executions,
  lost,
  'send-api': (args) => (isOverProcesses(args) ? overProcesses('/v1/send', args) : sendApi(args)),
  submission,
  pump: withoutOptions(pump),
  render: withoutOptions(render),
  latency: withoutOptions(latency),
  scale,
  scheduled,
  console: withoutOptions(console),
  queue,
  contacts: withoutOptions(contacts),
  import: withoutOptions(importing),
  writes: withoutOptions(writes),
};

const USAGE = `Usage: npm run bench -- [name …]
       npm run bench -- <name> [options]

Runs benchmarks and prints their figures; without a name, all of them.
docs/design/performance.md describes each one and its options.

Benchmarks: ${Object.keys(BENCHMARKS).join(', ')}
`;

/** Runs `npm run bench -- <name> [options]`: one benchmark with options, or several by their names or all, without. */
async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) {
    process.stdout.write(USAGE);
    return;
  }
  const firstOption = args.findIndex((arg) => arg.startsWith('-'));
  const names = firstOption === -1 ? args : args.slice(0, firstOption);
  const options = firstOption === -1 ? [] : args.slice(firstOption);
  const unknown = names.filter((name) => !(name in BENCHMARKS));
  if (unknown.length > 0) throw new BadOption(`Unknown benchmark: ${unknown.join(', ')}. Use ${Object.keys(BENCHMARKS).join(', ')}`);
  if (options.length > 0 && names.length !== 1) throw new BadOption('Options apply to one benchmark: give one name, then its options');
  for (const name of names.length > 0 ? names : Object.keys(BENCHMARKS)) await BENCHMARKS[name]?.(options);
}

const troubleOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error instanceof BadOption ? error.message : (error.stack ?? error.message);
};

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${troubleOf(error)}\n`);
    process.exit(1);
  },
);
