import path from 'node:path';
import { ASKS_ALL } from '../data/asks-all-shards';
import { hearCommands } from './command-count';
import { askedBy } from './shard-keys';

const ROOT = path.resolve(__dirname, '../../..');
/** Tests look at all rows and make any; nothing of theirs runs on shards. */
const NOT_PRODUCT = /^(node_modules|test|bench)\//;
/** The driver and mongoose take up to twenty. */
const FRAMES = 30;

const faults = new Set<string>();
let isWatching = false;

/**
 * Watches the commands that the product in this process sends from now on: one that asks every shard without being listed, and a row that is added without its
 * key, are faults. Costs each command the look at its filter, and those that name no shard the look at who sent them.
 */
export function watchEveryCommand(): void {
  if (isWatching) return;
  isWatching = true;
  hearCommands((name, command) => {
    for (const asked of askedBy(name, command)) {
      if (asked.isTargeted) continue;
      const shape = asked.shape();
      const sender = shape in ASKS_ALL ? null : senderOf();
      if (sender !== null) faults.add(`${shape}\n    sent by ${sender}`);
    }
  });
}

/**
 * Returns the faults since the last call, as one text; null where there are none.
 *
 * @public The runner of tests, which is no TypeScript, calls it.
 */
export function takeFaults(): string | null {
  const found = [...faults].join('\n  ');
  faults.clear();
  return found === ''
    ? null
    : `Commands ask every shard, or add a row without its shard key. Name the key, or list them in test/support/data/asks-all-shards.ts with the reason:\n  ${found}`;
}

const fileOf = (site: NodeJS.CallSite): string => path.relative(ROOT, site.getFileName() ?? '..');

/** Returns the line of the product on the way to a command; null where a test is nearer. Where neither is on it, a promise was not awaited. */
function senderOf(): string | null {
  const sites = way();
  const nearest = sites.find((site) => /^(?!node:|\.\.|node_modules\/|test\/support\/checks\/)/.test(fileOf(site)));
  if (nearest)
    return NOT_PRODUCT.test(fileOf(nearest)) ? null : `${fileOf(nearest)}, ${nearest.getFunctionName() ?? 'a function without a name'}`;
  return 'code that does not await it';
}

/** Returns the calls that have led here, across awaits. The calls themselves take a tenth of the time of a text of them. */
function way(): readonly NodeJS.CallSite[] {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = FRAMES;
  Error.prepareStackTrace = (_error, sites) => sites;
  const sites = new Error().stack as unknown as readonly NodeJS.CallSite[];
  Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  return sites;
}
