import { SCHEMA_VERSION, VERSIONS, databaseNow } from '../../platform/mongo';
import { named, runningBelow } from './gate';
import { readSchema } from './lease';
import { lackOf } from './standing';

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
