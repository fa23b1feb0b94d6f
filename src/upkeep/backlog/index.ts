import { setTimeout as wait } from 'node:timers/promises';
import { IdleCampaigns } from '../../marketing/campaigns';
import type { Logger } from '../../platform/log';
import { withinLimit } from '../../platform/async';
import { Lease } from '../../platform/leases';
import { BacklogModel, KINDS } from './model';
import type { Backlog, Kind, Waiting } from './model';
import { slowestImportSince } from '../../audience/lists';
import { executionTotals, nextExecutionCheck } from '../../marketing/automations';
import { FAN_OUT_SHARDS } from '../../contracts/fan-out';
import { heldCount, oldestDue } from '../../records/emails';
import { projectsWaiting } from '../../records/events';
import { metrics } from '../../platform/metrics';
import { nextCheck, outboxWaiting } from '../../platform/outbox';
import { runningRamps } from '../../sending/ramps';
import { endpointStates, longestDue } from '../../sending/webhooks';

/** No question may keep the database busy for longer. */
const MOST_MS = 5_000;

const ageOf = (since: Date | null, now: number): number => (since ? Math.max(0, (now - since.getTime()) / 1_000) : 0);

const earliest = (dates: readonly (Date | null)[]): Date | null =>
  dates.reduce((first, date) => (first && (!date || first <= date) ? first : date), null);

/** Asks the database how much waits, one question after another, and sets the gauges. Resolves to since when the oldest of each kind waits. */
export async function readBacklog(idle: IdleCampaigns): Promise<Waiting> {
  const waiting: Partial<Record<Kind, Date | null>> = {};
  for (const kind of KINDS) waiting[kind] = await READ[kind](Date.now(), idle);
  await readExecutions();
  await readHeld();
  await readRamps();
  metrics.backlogReadAt.set(Date.now() / 1_000);
  return waiting as Waiting;
}

/** Forgets the figures when another process reads them. */
export function forgetBacklog(): void {
  const {
    queueOldest,
    fanOutOldest,
    outboxOldest,
    outboxRows,
    checksOldest,
    importIdle,
    campaignIdle,
    webhookOldest,
    webhookEndpoints,
    executions,
    restoreHeld,
    backlogReadAt,
    rampRemaining,
    rampHeldBack,
  } = metrics;
  for (const gauge of [queueOldest, checksOldest, webhookEndpoints, executions, rampRemaining, rampHeldBack]) gauge.reset();
  for (const gauge of [fanOutOldest, outboxOldest, outboxRows, importIdle, campaignIdle, webhookOldest, restoreHeld, backlogReadAt])
    gauge.reset();
}

async function readQueue(now: number): Promise<Date | null> {
  const shards = await oldestDue(MOST_MS);
  for (const [shard, due] of shards.entries()) metrics.queueOldest.set({ shard }, ageOf(due, now));
  return earliest(shards);
}

async function readFanOut(now: number): Promise<Date | null> {
  let first: Date | null = null;
  for (let shard = 0; shard < FAN_OUT_SHARDS; shard++) {
    first = earliest([first, ...(await projectsWaiting(shard, MOST_MS)).map(({ since }) => since)]);
  }
  metrics.fanOutOldest.set(ageOf(first, now));
  return first;
}

async function readOutbox(now: number): Promise<Date | null> {
  const { oldest, rows } = await outboxWaiting(MOST_MS);
  metrics.outboxOldest.set(ageOf(oldest, now));
  metrics.outboxRows.set(rows);
  return oldest;
}

async function readChecks(now: number): Promise<Date | null> {
  const [execution, process] = [await nextExecutionCheck(MOST_MS), await nextCheck(MOST_MS)];
  for (const [kind, due] of Object.entries({ execution, process })) metrics.checksOldest.set({ kind }, ageOf(due, now));
  return earliest([execution, process]);
}

async function readImports(now: number): Promise<Date | null> {
  const since = await slowestImportSince(MOST_MS);
  metrics.importIdle.set(ageOf(since, now));
  return since;
}

async function readCampaigns(now: number, idle: IdleCampaigns): Promise<Date | null> {
  const since = await idle.since(now, MOST_MS);
  metrics.campaignIdle.set(ageOf(since, now));
  return since;
}

async function readWebhooks(now: number): Promise<Date | null> {
  const longest = await longestDue(MOST_MS);
  metrics.webhookOldest.set(ageOf(longest, now));
  for (const [state, count] of Object.entries(await endpointStates(MOST_MS))) metrics.webhookEndpoints.set({ state }, count);
  return longest;
}

const READ: Readonly<Record<Kind, (now: number, idle: IdleCampaigns) => Promise<Date | null>>> = {
  mail: readQueue,
  events: readFanOut,
  outbox: readOutbox,
  checks: readChecks,
  webhooks: readWebhooks,
  imports: readImports,
  campaigns: readCampaigns,
};

async function readExecutions(): Promise<void> {
  for (const [state, count] of Object.entries(await executionTotals(MOST_MS))) metrics.executions.set({ state }, count);
}

async function readHeld(): Promise<void> {
  metrics.restoreHeld.set(await heldCount(MOST_MS));
}

async function readRamps(): Promise<void> {
  const ramps = await runningRamps(MOST_MS);
  metrics.rampRemaining.reset();
  metrics.rampHeldBack.reset();
  for (const [transport, { remaining, isRefused }] of ramps) {
    metrics.rampRemaining.set({ transport }, remaining);
    metrics.rampHeldBack.set({ transport }, isRefused ? 1 : 0);
  }
}

/** A reader of the figures waits no longer for newer ones. */
const ANSWER_MS = 2_000;

/** Older figures say nothing about now. */
const FRESH_MS = 60_000;

/**
 * Resolves to for how many milliseconds the oldest of each kind had waited when it was read last, 0 where nothing waits; null while no
 * process reads it.
 */
export async function waitingFor(): Promise<Readonly<Record<Kind, number>> | null> {
  const isFresh = { $expr: { $gt: ['$readAt', { $subtract: ['$$NOW', FRESH_MS] }] } };
  const row = await BacklogModel.findOne(isFresh).maxTimeMS(ANSWER_MS).lean<{ waiting?: Waiting; readAt?: Date } | null>();
  if (!row?.waiting || !row.readAt) return null;
  const { waiting, readAt } = row;
  // A reader of the previous release has read fewer kinds.
  const ageOf = (since: Date | null | undefined): number => (since ? Math.max(0, readAt.getTime() - since.getTime()) : 0);
  return Object.fromEntries(KINDS.map((kind) => [kind, ageOf(waiting[kind])])) as Record<Kind, number>;
}

interface BacklogTimes {
  readonly everyMs: number;
  readonly leaseMs: number;
}

const TIMES: BacklogTimes = { everyMs: 15_000, leaseMs: 60_000 };
const ROUND_MS = 45_000;

/** Keeps the gauges of what waits: of all processes that run one, one reads, every 15 seconds; a scrape asks the database nothing. */
export class BacklogReader {
  private readonly stopping = new AbortController();
  private readonly lease: BacklogLease;
  private readonly idle = new IdleCampaigns();
  private running: Promise<void> | undefined;

  constructor(
    private readonly log: Pick<Logger, 'warn'>,
    private readonly times: BacklogTimes = TIMES,
  ) {
    this.lease = new BacklogLease(times.leaseMs);
  }

  start(): void {
    this.running = this.run();
  }

  /** Resolves when another process may read. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.lease.giveUp().catch((error: unknown) => this.log.warn({ err: error }, 'The lease of the backlog was not released'));
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await withinLimit(ROUND_MS, () => this.round()).catch((error: unknown) =>
        this.log.warn({ err: error }, 'The backlog could not be read; its metrics are out of date'),
      );
      await wait(this.times.everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async round(): Promise<void> {
    if (await this.lease.take()) return this.lease.report(await readBacklog(this.idle));
    this.idle.forget();
    forgetBacklog();
  }
}

/** The right to read the backlog. */
export class BacklogLease extends Lease<Backlog> {
  constructor(leaseMs: number) {
    super(BacklogModel, 'backlog', leaseMs);
  }

  /** Writes the figures next to the lease, while this process holds it. */
  async report(waiting: Waiting): Promise<void> {
    await this.change([{ $set: { waiting, readAt: '$$NOW' } }]);
  }

  /** Gives it up, with what was read. */
  override giveUp(): Promise<void> {
    return super.giveUp('waiting', 'readAt');
  }
}
