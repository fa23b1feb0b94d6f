import { strayVariables } from './config';
import type { Logger } from '../log';

/** Says which variables of the environment are no settings: a misspelt one changes nothing, and nothing else would show it. */
export function warnOfStrays(log: Pick<Logger, 'warn'>): void {
  // Where there is a supervisor, it has said so.
  if (process.send) return;
  for (const { variable, meant } of strayVariables()) {
    log.warn(`${variable} is no setting${meant === null ? '' : `; did you mean ${meant}?`}`);
  }
}
