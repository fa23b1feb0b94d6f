import { SCHEMA_VERSION, VERSIONS, databaseNow, declaredIndexes } from '../../platform/mongo';
import { named, runningBelow, readSchema } from './gate';
import { CannotStart } from '../../platform/start-up';
import { VERSION } from '../../platform/config';
import type { SchemaRow } from './model';

/** The state of the database compared with this release. */
export interface SchemaStatus {
  /** The version that the database has. */
  readonly schema: number;
  /** The version that this release needs. */
  readonly needs: number;
  /** The oldest version whose processes may run. */
  readonly oldest: number;
  /** Steps that are not done: what comes before a start, and what waits until no earlier release is wanted any more. */
  readonly expand: readonly string[];
  readonly contract: readonly string[];
  /** The process that migrates now, and the progress of the step. */
  readonly underWay: string | null;
  readonly processes: readonly string[];
}

/** Resolves to what `migrate --status` shows, and why this release cannot start, or null. */
export async function schemaStatus(): Promise<{ readonly status: SchemaStatus; readonly lack: string | null }> {
  const [row, running, now] = await Promise.all([readSchema(), runningBelow(Number.POSITIVE_INFINITY), databaseNow()]);
  const { version, oldest, contracted, lease, progress } = row;
  const isLeased = lease !== undefined && lease.until > now;
  const at = progress ? `${progress.step}, ${progress.rows} rows` : 'begins';
  const status = {
    schema: version,
    needs: SCHEMA_VERSION,
    oldest,
    expand: VERSIONS.filter((each) => each.version > version).map(({ version: next, what }) => `${next}: ${what}`),
    contract: VERSIONS.filter((each) => each.contract && each.version > contracted).map(({ version: next, what }) => `${next}: ${what}`),
    underWay: isLeased ? `${lease.by}: ${at}` : progress ? `interrupted: ${at}` : null,
    processes: running.map(named),
  };
  return { status, lack: lackOf(row) };
}

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
