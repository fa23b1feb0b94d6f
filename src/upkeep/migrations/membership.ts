import { setTimeout as wait } from 'node:timers/promises';
import { CannotStart } from '../../platform/start-up';
import { newId } from '../../platform/core';
import type { Logger } from '../../platform/log';
import { VERSION } from '../../platform/config';
import { readSchema } from './gate';
import { Presence } from '../../platform/leases';
import { PartModel, SchemaModel } from './model';
import type { SchemaRow } from './model';
import { lackOf, refuseNewer } from './status';
import { SCHEMA_VERSION } from '../../platform/mongo';

const ASK_MS = 1_000;
/** Seconds. */
const LOG_EVERY = 10;
const BEAT_MS = 10_000;
const LEASE_MS = 30_000;

type Floor = Pick<SchemaRow, 'oldest'>;

/**
 * Announces a process in the database, and checks whether it may run: it starts when the database has what it needs, and ends when that is
 * removed. It announces itself first and checks afterwards, and a contract step does the two the other way around, so one of them sees the
 * other.
 */
export class Membership {
  private readonly presence = new Presence(PartModel, newId('prt'), LEASE_MS);
  private floor = 0;
  private timer: NodeJS.Timeout | undefined;
  private polled: () => readonly string[] = () => [];

  /** `migrateAll` brings a database to what all models of this release declare. */
  constructor(
    private readonly part: 'api' | 'worker' | 'smtp',
    private readonly log: Pick<Logger, 'info' | 'warn' | 'fatal'>,
    private readonly migrateAll: (say: (line: string) => void) => Promise<void>,
    private readonly release = VERSION,
  ) {}

  /**
   * Resolves to true when the database has what this release needs, however long that takes, and to false when the process is asked to stop before. A database
   * that was never migrated is migrated here: it is new. Throws `CannotStart` when the database is beyond this release.
   */
  async begin(stopping: AbortSignal): Promise<boolean> {
    for (let waited = 0; !stopping.aborted; waited++) {
      const reason = await this.reasonToWait().catch((error: unknown) => this.retried(error));
      if (reason === null) {
        this.timer = setInterval(() => void this.beat(), BEAT_MS).unref();
        return true;
      }
      if (waited % LOG_EVERY === 0) this.log.warn(reason);
      await wait(ASK_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
    return false;
  }

  /** Says from now on which task queues a worker polls, as `polled` has it at each beat. */
  async sayPolled(polled: () => readonly string[]): Promise<void> {
    this.polled = polled;
    await this.beat();
  }

  /** Resolves to the oldest version whose processes may run, as it was read last. */
  get oldest(): number {
    return this.floor;
  }

  /** Ends the membership. Never rejects: the row expires as well. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.presence.leave().catch(() => undefined);
  }

  /** Resolves to why it has to wait, or null. */
  private async reasonToWait(): Promise<string | null> {
    await this.announce();
    if ((await readSchema()).version === 0) {
      await this.migrateAll((line) => this.log.info(line));
      await this.announce();
    }
    const row = await readSchema();
    this.floor = row.oldest;
    try {
      refuseNewer(row);
    } catch (error) {
      await this.end();
      throw error;
    }
    const lack = lackOf(row);
    return lack && `${lack}; waiting for "npm run admin -- migrate"`;
  }

  // Here a process that was cut off for long, and was considered lost, finds out.
  private async beat(): Promise<void> {
    try {
      await this.announce();
      const row = await SchemaModel.findOne({}, { oldest: 1 }).lean<Floor>();
      if (!row) return;
      refuseNewer(row);
      this.floor = row.oldest;
    } catch (error) {
      if (!(error instanceof CannotStart)) return;
      this.log.fatal(`${error.message} The process ends.`);
      clearInterval(this.timer);
      process.kill(process.pid, 'SIGTERM');
    }
  }

  /** Resolves to why the next check comes later. */
  private retried(error: unknown): string {
    if (error instanceof CannotStart) throw error;
    this.log.warn({ err: error }, 'The database could not be read or migrated');
    return 'The database cannot be used yet; retrying';
  }

  private announce(): Promise<void> {
    const { part, release } = this;
    return this.presence.say({ part, release, schemaVersion: SCHEMA_VERSION, ...(part === 'worker' && { queues: this.polled() }) });
  }
}
