import { Lease } from '../../platform/leases';
import { CannotStart } from '../../platform/start-up';
import { SchemaModel } from './model';
import type { SchemaRow } from './model';

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
