import { CannotStart } from '../../platform/start-up';
import { SCHEMA_VERSION, declaredIndexes } from '../../platform/mongo';
import { VERSION } from '../../platform/config';
import type { SchemaRow } from './model';

/** Throws what to do where this release is too old for the database. */
export function refuseNewer({ oldest }: Pick<SchemaRow, 'oldest'>, known = SCHEMA_VERSION): void {
  if (oldest <= known) return;
  throw new CannotStart(
    `The database has schema ${oldest}, and release ${VERSION} knows schema ${known} and nothing later. ` +
      `Start a release that knows schema ${oldest}, or restore a backup from before its contract step.`,
  );
}

/** Returns what this process needs and the database has not got yet, for people; null when it has it all. */
export function lackOf({ version, indexes }: Pick<SchemaRow, 'version' | 'indexes'>): string | null {
  if (version < SCHEMA_VERSION) return `The database has schema ${version}, and release ${VERSION} needs schema ${SCHEMA_VERSION}`;
  const there = new Set(indexes);
  const missing = declaredIndexes().filter((line) => !there.has(line));
  return missing.length > 0 ? `The database lacks ${missing.length} indexes that release ${VERSION} needs` : null;
}
