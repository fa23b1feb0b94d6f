import { IS_PRESENT, Lease } from '../../platform/leases';
import { PartModel, SchemaModel } from './model';
import type { PartRow, SchemaRow } from './model';
import { CannotStart } from '../../platform/start-up';

const ONLY = 'schema';
export const LEASE_MS = 30_000;

const EMPTY: Omit<SchemaRow, '_id'> = { version: 0, oldest: 0, contracted: 0, indexes: [] };

/** Resolves to the row as it is; of a database that was never migrated it is that of version 0. */
export const readSchema = async (): Promise<SchemaRow> => (await SchemaModel.findById(ONLY).lean<SchemaRow>()) ?? { _id: ONLY, ...EMPTY };

/** The right to migrate. */
export class MigrationLease extends Lease<SchemaRow> {
  constructor(leaseMs: number) {
    super(SchemaModel, ONLY, leaseMs, EMPTY);
  }

  /** Changes the row as its holder. Throws when another process has taken over. */
  async write(set: Partial<Omit<SchemaRow, '_id' | 'lease'>>, unset: 'progress' | null = null): Promise<void> {
    const isOurs = await this.change({ $set: set, ...(unset !== null && { $unset: { [unset]: '' } }) });
    if (!isOurs) throw new CannotStart('Another process has taken over the migration of the database');
  }
}

/** A process that runs, for people. */
export interface Running {
  readonly part: string;
  readonly host: string;
  readonly pid: number;
  readonly release: string;
  readonly schemaVersion: number;
}

const aliveBelow = (version: number) => ({ $expr: { $and: [IS_PRESENT, { $lt: ['$schemaVersion', version] }] } });

/** Finds processes that run and know less than this version. */
export async function runningBelow(version: number): Promise<readonly Running[]> {
  const rows = await PartModel.find(aliveBelow(version)).sort({ part: 1, _id: 1 }).lean<PartRow[]>();
  return rows.map(({ part, host, pid, release, schemaVersion }) => ({ part, host, pid, release, schemaVersion }));
}

/** Describes a running process for people. */
export const named = ({ part, host, pid, release, schemaVersion }: Running): string =>
  `${part} of release ${release} (schema ${schemaVersion}, ${host}, process ${pid})`;

/** A process that runs, or that ran within the last day and was lost: one that stops in order is forgotten. */
export interface KnownPart extends Pick<PartRow, 'part' | 'queues'> {
  /** For how long nothing has been heard of it beyond its lease, in milliseconds; not above zero while it runs. */
  readonly silentMs: number;
}

/** Finds the processes that run, and those that were lost. */
export const knownParts = (withinMs: number): Promise<readonly KnownPart[]> =>
  PartModel.aggregate<KnownPart>([{ $project: { _id: 0, part: 1, queues: 1, silentMs: { $subtract: ['$$NOW', '$leaseUntil'] } } }]).option({
    maxTimeMS: withinMs,
  });
