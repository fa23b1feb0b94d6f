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
