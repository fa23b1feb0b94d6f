import { strayVariables } from './config';
import type { Config } from './config';
import type { Logger } from '../log';
import { version } from '../../../package.json';

/** The version in package.json. */
export const VERSION = version;

/** Returns the name of what runs: its version, and what it was built from where that is said. */
export const releaseOf = ({ RELEASE_COMMIT }: { readonly RELEASE_COMMIT?: string | undefined }): string =>
  RELEASE_COMMIT === undefined ? VERSION : `${VERSION} (${RELEASE_COMMIT})`;

/**
 * Says of which release a process is that starts, and which variables of the environment are no settings: a misspelt one changes nothing, and nothing else would
 * show it. Where there is a supervisor, it has said both.
 */
export function introduce(config: Pick<Config, 'RELEASE_COMMIT'>, log: Pick<Logger, 'info' | 'warn'>): void {
  if (process.send) return;
  log.info({ release: releaseOf(config), node: process.versions.node }, 'starting');
  for (const { variable, meant } of strayVariables()) {
    log.warn(`${variable} is not a setting${meant === null ? '' : `; did you mean ${meant}?`}`);
  }
}

/**
 * Flags of Node for worker processes. The young generation has room for what one message needs, and the old one is collected when it has
 * grown by 70 %, from 80 MiB on: V8's default waits until it has grown to four times its size, and a worker never shrinks again. A campaign
 * costs the same CPU time with these values, and more with less room. Everything that starts workers uses them.
 */
export const WORKER_FLAGS = ['--max-semi-space-size=24', '--initial-old-space-size=80', '--heap-growing-percent=70'] as const;

/**
 * Flags of Node for API and SMTP processes: a request allocates far more than it keeps, and with room for several at once the collector visits
 * little of that twice. Single sends cost 7 % less, batches 5 %, submissions 6 %. Everything that starts the API, or the SMTP server, uses them.
 */
export const API_FLAGS = ['--max-semi-space-size=64'] as const;

/**
 * Variables of worker processes. The C library gives threads memory from up to eight pools for each core, of which each keeps what it once grew to; two are
 * enough for threads that allocate little.
 */
export const WORKER_ENVIRONMENT = { MALLOC_ARENA_MAX: '2' } as const;

/**
 * V8 flags that a worker process sets before its threads begin. The threads run workflows, which allocate little; with the room of the main
 * thread, each would grow by 48 MiB and keep it.
 */
export const THREAD_FLAGS = '--max-semi-space-size=4';
