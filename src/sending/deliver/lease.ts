import { newId } from '../../platform/core';
import type { Core } from '../../platform/core';
import {
  workersWithClaims,
  workersWithMail,
  claimsOf,
  endClaim,
  findClaimed,
  findWritten,
  giveBack,
  insertWrittenRows,
  isHolder,
  toEmail,
  toRow,
} from '../../records/emails';
import type { CampaignClaim, Claims, Email, WrittenRow } from '../../records/emails';
import { wakeDelivery } from '../../platform/wake-ups';
import { withinLimit } from '../../platform/async';
import { IS_PRESENT, Presence } from '../../platform/leases';
import { campaignWork } from './hooks';
import { WorkerModel } from './lease-model';
import type { WorkerRow } from './lease-model';
import { deliveryQueueOf } from '../../contracts/delivery';
import { metrics } from '../../platform/metrics';
import type { EmailEvent } from '../../records/events';
import { eventOf } from './outcome';
import { cancel } from './recheck';
import { emitCounted } from './counts';

export interface LeaseTimes {
  readonly renewMs: number;
  readonly leaseMs: number;
  /** After so long without a renewal, nothing more is put on the wire. */
  readonly stopMs: number;
  /** Takes over from other workers only after this long of unbroken contact: after an outage, the living ones renew first. */
  readonly contactMs: number;
}

export const LEASE_TIMES: LeaseTimes = { renewMs: 5_000, leaseMs: 30_000, stopMs: 20_000, contactMs: 12_000 };

const ANSWER_MS = 10_000;

/**
 * A worker's right to send mail. It renews a row; when it could not for `stopMs`, `holds()` turns false and stays so until the next
 * renewal; when the row's lease is over, another worker takes its messages over. All waits are measured by the monotonic clock, so a
 * process that was stopped and continues knows at once that it lost its lease. The end of a row's lease is measured only by the database's
 * clock, as clocks of machines differ.
 */
export class Lease {
  readonly workerId = newId('wrk');
  private readonly presence: Presence<WorkerRow>;
  private renewedAt = Number.NEGATIVE_INFINITY;
  private contactSince: number | null = null;
  private timer: NodeJS.Timeout | undefined;
  private ended = false;
  private takesPumps = true;
  private peers: readonly string[] = [];
  private lapses = 0;

  constructor(
    private readonly core: Core,
    /** Attempts of this process that are under way. */
    private readonly activeAttempts: () => readonly string[],
    private readonly times: LeaseTimes = LEASE_TIMES,
  ) {
    this.presence = new Presence(WorkerModel, this.workerId, times.leaseMs);
  }

  /** Starts renewing. Resolves after the first renewal. */
  start(): Promise<void> {
    return this.tick();
  }

  /** Returns whether anything may be put on the wire now. */
  holds(): boolean {
    return performance.now() - this.renewedAt < this.times.stopMs;
  }

  /** Changes when the lease is renewed after it was over: another worker may have taken over what was claimed before. */
  get term(): number {
    return this.lapses;
  }

  /** Returns the living worker that should run a shard, the same in all workers within a renewal; null while it is not known. */
  workerOf(shard: number): string | null {
    return this.peers[shard % this.peers.length] ?? null;
  }

  /** The workers that share shards and pages, this one included, as of the last renewal. */
  get pool(): readonly string[] {
    return this.peers;
  }

  /** Stops taking shards and pages. Never rejects: the end of the row has the same effect. */
  async leavePool(): Promise<void> {
    this.takesPumps = false;
    await this.presence
      .change({ takesPumps: false })
      .catch((err: unknown) => this.core.log.warn({ err }, 'The worker did not leave the pool cleanly'));
  }

  /** Gives the lease up: what is still claimed may be taken over at once. */
  async end(): Promise<void> {
    this.ended = true;
    clearTimeout(this.timer);
    this.renewedAt = Number.NEGATIVE_INFINITY;
    await this.presence.leave();
  }

  private async tick(): Promise<void> {
    try {
      await withinLimit(ANSWER_MS, () => this.renew());
      this.peers = await withinLimit(ANSWER_MS, workersOfPool);
      await withinLimit(ANSWER_MS, () => this.takeOverLost());
    } catch (error) {
      this.contactSince = null;
      this.core.log.warn({ err: error }, 'The lease was not renewed');
    }
    if (!this.ended) this.timer = setTimeout(() => void this.tick(), this.times.renewMs);
  }

  private async renew(): Promise<void> {
    const began = performance.now();
    await this.presence.say({ takesPumps: this.takesPumps });
    if (!this.holds()) this.lapses++;
    this.renewedAt = began;
    this.contactSince ??= began;
  }

  private async takeOverLost(): Promise<void> {
    if (this.contactSince === null || performance.now() - this.contactSince < this.times.contactMs) return;
    const now = new Date();
    const busy = [...new Set([...(await workersWithMail()), ...(await workersWithClaims()), ...(await campaignWork.only.workers())])];
    const living = await livingWorkers(busy);
    for (const worker of busy) {
      const shards = living.has(worker)
        ? await this.giveBackOwn(worker, now)
        : await takeOver(this.core, { worker, except: [], claimedBefore: now }, now);
      if (shards.length > 0) this.core.log.warn({ worker, shards }, 'Took over the messages of a lost worker');
      for (const shard of shards) wakeDelivery(this.core, shard);
    }
  }

  /** Gives back own claims that took effect after their answer was lost: no one is sending those messages. */
  private giveBackOwn(worker: string, now: Date): Promise<readonly number[]> | readonly number[] {
    if (worker !== this.workerId) return [];
    const claimedBefore = new Date(now.getTime() - this.times.leaseMs);
    return takeOver(this.core, { worker, except: this.activeAttempts(), claimedBefore }, now);
  }
}

/** Finds which of the workers have a lease that has not ended. */
export async function livingWorkers(workers: readonly string[]): Promise<ReadonlySet<string>> {
  const filter = { _id: { $in: [...workers] }, $expr: IS_PRESENT };
  return new Set((await WorkerModel.find(filter, { _id: 1 }).lean<Pick<WorkerRow, '_id'>[]>()).map(({ _id }) => _id));
}

/** Lists the living workers that take work by name, in the same order in all of them. */
async function workersOfPool(): Promise<readonly string[]> {
  const filter = { takesPumps: true, $expr: IS_PRESENT };
  const rows = await WorkerModel.find(filter, { _id: 1 }).sort({ _id: 1 }).lean<Pick<WorkerRow, '_id'>[]>();
  return rows.map(({ _id }) => _id);
}

/** Counts the workers that hold a lease and are not about to stop. */
export const workersInPool = async (): Promise<number> => (await workersOfPool()).length;

/** Lists the task queues of the living workers. */
export const queuesOfPool = async (): Promise<readonly string[]> => (await workersOfPool()).map(deliveryQueueOf);

/**
 * Takes over what a worker had on the wire: messages of the queue, pages of campaigns, and the claims of their messages. Claims that have not begun are given
 * up. All other messages without an outcome are in doubt, and go into the queue with the same Message-ID. Should the worker live and be late, its results settle
 * their rows, and its events have the ids that the next attempt uses. Resolves to the shards to wake.
 *
 * | killed                                | found                               | happens                                        |
 * |---------------------------------------|-------------------------------------|------------------------------------------------|
 * | while messages of the queue go back   | some are back, others are `sending` | the others are taken over the next time        |
 * | claim: before the rows                | the claim                           | taken over the next time                       |
 * | claim: after some or all rows         | the claim, rows in the queue        | the same; existing rows stay as they are       |
 * | claim: after the events               | the same                            | the same; each event exists once               |
 * | claim: after its end                  | only rows                           | the pump sends what is in the queue            |
 */
export async function takeOver(core: Core, claims: Claims, now: Date): Promise<readonly number[]> {
  // Pages first, so that no new claims are made under them while the claims are read.
  await campaignWork.only.takePages(claims);
  return [...new Set([...(await takeOverQueued(claims)), ...(await takeOverClaims(core, claims, now))])];
}

/** Takes over messages of the queue. */
export async function takeOverQueued(claims: Claims): Promise<readonly number[]> {
  const claimed = await findClaimed(claims);
  if (claimed.length === 0) return [];
  metrics.inDoubt.inc({ cause: 'worker_lost' }, claimed.length);
  await giveBack(claims, claimed);
  return [...new Set(claimed.map(({ shard }) => shard))];
}

/** Takes over claims of campaign mail. Messages with rows keep them, and their missing events are stored. */
export async function takeOverClaims(core: Core, claims: Claims, now: Date): Promise<readonly number[]> {
  const shards = new Set<number>();
  for (const claim of await claimsOf(claims)) {
    if (!claim.begun) await campaignWork.only.giveUp(claim);
    else for (const { shard } of await takeOverBegun(core, claim, now)) shards.add(shard);
  }
  return [...shards];
}

async function takeOverBegun(core: Core, claim: CampaignClaim, now: Date): Promise<readonly Email[]> {
  const before = new Set((await findWritten(claim.projectId, claim.emails)).map(({ _id }) => _id));
  const inDoubt = await campaignWork.only.messagesOf(core, claim, before);
  if (inDoubt.length > 0) metrics.inDoubt.inc({ cause: 'worker_lost' }, inDoubt.length);
  await insertWrittenRows(inDoubt.map((email) => toRow(email)));
  for (const email of inDoubt) if (email.contactId === null) await cancel(email, 'deleted', now);
  const rows = (await findWritten(claim.projectId, claim.emails)).filter(
    ({ attempt, status }) => attempt?.id === claim._id && status !== 'queued',
  );
  await emitCounted(rows.filter((row) => !isHolder(row)).flatMap(eventsOfRow));
  await endClaim(claim);
  return inDoubt;
}

/** Returns the events of a row that holds none, some of which may be stored. Queued messages get theirs when they are sent. */
function eventsOfRow(row: WrittenRow): readonly EmailEvent[] {
  const email = toEmail(row);
  const { createdAt, sentAt, deliveredAt, bouncedAt, bounceType, error } = email;
  const answer = row.response === undefined ? {} : { response: row.response };
  return [
    eventOf(email, createdAt, 'email.queued'),
    ...(sentAt ? [eventOf(email, sentAt, 'email.sent', answer)] : []),
    ...(deliveredAt ? [eventOf(email, deliveredAt, 'email.delivered', answer)] : []),
    ...(bouncedAt && !sentAt ? [eventOf(email, bouncedAt, 'email.bounced', { bounceType, reason: error })] : []),
    ...(email.status === 'failed' ? [eventOf(email, createdAt, 'email.failed', { reason: error })] : []),
  ];
}
