import './models';
import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';
import { CannotStart } from '../../platform/start-up';
import { VERSIONS, createIndexes, declaredIndexes } from '../../platform/mongo';
import { named, runningBelow, LEASE_MS, MigrationLease, readSchema } from './gate';
import { PartModel, SchemaModel } from './model';
import { refuseNewer } from './status';
import type { Version, Work } from '../../platform/mongo';

const ASK_MS = 1_000;
/** Seconds. */
const LOG_EVERY = 10;

interface Options {
  /** Receives progress, line by line. */
  readonly say: (line: string) => void;
  /** Also removes what only earlier releases need; their processes cannot start again after that. */
  readonly contract?: boolean;
  readonly versions?: readonly Version[];
  readonly leaseMs?: number;
}

/**
 * Brings the database to what the models and the versions of this release say. One process does so at a time, and the others wait and find it done; what a lost
 * one had under way is continued. Throws `CannotStart` when the database is beyond this release, or processes run that a step would break.
 */
export async function migrate({ say, contract = false, versions = VERSIONS, leaseMs = LEASE_MS }: Options): Promise<void> {
  const lease = new MigrationLease(leaseMs);
  await waitForLease(lease, say);
  lease.keep();
  const migration = new Migration(lease, say, versions);
  try {
    await migration.expand();
    if (contract) await migration.contractBelow(Number.POSITIVE_INFINITY);
  } finally {
    await lease.giveUp();
  }
}

async function waitForLease(lease: MigrationLease, say: Options['say']): Promise<void> {
  for (let waited = 0; !(await lease.take()); waited++) {
    if (waited % LOG_EVERY === 0)
      say(`Another process is migrating the database (${(await readSchema()).lease?.by ?? 'it is done'}); waiting`);
    await wait(ASK_MS);
  }
}

class Migration {
  constructor(
    private readonly lease: MigrationLease,
    private readonly say: Options['say'],
    private readonly versions: readonly Version[],
  ) {}

  async expand(): Promise<void> {
    const row = await readSchema();
    const latest = this.versions.at(-1)?.version ?? 0;
    refuseNewer(row, latest);
    const isNew = await isNewDatabase();
    await this.makeIndexes(row.indexes);
    // The database is empty, and no earlier release has used it.
    if (isNew) return this.lease.write({ version: latest, oldest: latest, contracted: latest });
    for (const version of this.versions.filter((each) => each.version > row.version)) {
      await this.contractBelow(version.version);
      if (version.expand) await this.carryOut(`expand ${version.version}`, version.what, version.expand);
      await this.lease.write({ version: version.version }, 'progress');
    }
  }

  /** Removes what only processes of earlier versions needed, for each expanded version below the limit. */
  async contractBelow(limit: number): Promise<void> {
    const { version: expanded, contracted } = await readSchema();
    const due = this.versions.filter(({ version }) => version > contracted && version <= expanded && version < limit);
    for (const { version, what, contract } of due) {
      if (!contract) continue;
      await this.shutOut(version);
      await this.carryOut(`contract ${version}`, what, contract);
      // The stored list of indexes must not name a dropped one.
      const isNewest = expanded === this.versions.at(-1)?.version;
      await this.lease.write({ contracted: version, ...(isNewest && { indexes: declaredIndexes() }) }, 'progress');
    }
  }

  /** Keeps processes of earlier versions from starting. Throws if one runs: it announces itself before it checks whether it may start. */
  private async shutOut(version: number): Promise<void> {
    const { oldest } = await readSchema();
    if (oldest >= version) return refuseWhile(await runningBelow(version), version);
    refuseWhile(await runningBelow(version), version);
    await this.lease.write({ oldest: version });
    const late = await runningBelow(version);
    if (late.length > 0) await this.lease.write({ oldest });
    refuseWhile(late, version);
  }

  private async makeIndexes(known: readonly string[]): Promise<void> {
    const began = performance.now();
    await createIndexes();
    const made = declaredIndexes().filter((line) => !known.includes(line));
    if (made.length === 0) return;
    await this.lease.write({ indexes: [...known, ...made] });
    this.say(`Indexes of this release are ready: ${made.length} created, ${secondsSince(began)} s`);
  }

  private async carryOut(step: string, what: string, work: (work: Work) => Promise<void>): Promise<void> {
    const began = performance.now();
    const { progress } = await readSchema();
    const here = progress?.step === step ? progress : { step, at: null, rows: 0 };
    await this.lease.write({ progress: here });
    this.say(`${step}: ${what}${here.at === null ? '' : `; continues after ${here.rows} rows`}`);
    let { rows } = here;
    const note = async (at: string, more: number): Promise<void> => {
      rows += more;
      await this.lease.write({ progress: { step, at, rows } });
    };
    await work({ at: here.at, note });
    this.say(`${step}: done, ${rows} rows, ${secondsSince(began)} s`);
  }
}

/** Resolves to whether the database has only rows of processes that migrate, or wait for a migration. */
async function isNewDatabase(): Promise<boolean> {
  const ours = [SchemaModel, PartModel].map(({ collection }) => collection.collectionName);
  return (await mongoose.connection.listCollections()).every(({ name }) => ours.includes(name));
}

const secondsSince = (began: number): number => Math.round((performance.now() - began) / 100) / 10;

function refuseWhile(older: Awaited<ReturnType<typeof runningBelow>>, version: number): void {
  if (older.length === 0) return;
  throw new CannotStart(
    `What only releases before schema ${version} need cannot be removed while they run. Stop them first: ${older.map(named).join('; ')}`,
  );
}

/** Migrates the database to this release, before its processes start; processes of the previous release continue meanwhile. */
export const migrateAll = (say: (line: string) => void, contract = false): Promise<void> => migrate({ say, contract });
