import { strayVariables } from './config';
import type { Config } from './config';
import { releaseOf } from './version';
import type { Logger } from '../log';

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
