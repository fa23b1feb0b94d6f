import type { CallGate, Callee, Permit } from '../../platform/http-client';
import { orNull } from '../../platform/core';
import { deliveriesAtOnce } from '../../rules/webhook-retry';
import { answer } from '../../platform/async';
import type { Webhook } from './model';
import { findEnabled, firstPending, setNextDue, take } from './queue';
import type { Pending, Taken } from './queue';

/** The parameters of a line's deliveries. */
export interface LineWork {
  readonly clock: () => Promise<Date>;
  /** Time that the claim of a delivery lasts. */
  readonly leaseMs: number;
  /** Attempts a delivery and records its outcome. */
  readonly attempt: (webhook: Webhook, delivery: Taken, permit: Permit) => Promise<void>;
  readonly calls: CallGate;
  /** Called for an endpoint whose deliveries wait for another attempt without a known workflow, with the instant when one of them is due. */
  readonly adopt: (webhook: Webhook, retryAt: Date) => Promise<void>;
  /** Returns whether enough deliveries are under way that each endpoint gets only one at a time. */
  readonly crowded: () => boolean;
  readonly stopped: () => boolean;
  /** Called with work that the line continues in the background. */
  readonly follow: (done: Promise<void>) => void;
}

/** Time that an endpoint without a place for its first call waits before it tries again. */
const SOON_MS = 500;

interface Lease {
  readonly now: Date;
  readonly leaseUntil: Date;
  readonly permits: readonly Permit[];
}

interface Room {
  readonly callee: Callee;
  readonly free: number;
  readonly now: Date;
}

/** Runs the deliveries to one endpoint in the order in which they are due, up to its limit at the same time. */
export class EndpointLine {
  private underWay = 0;
  private room = 1;
  private current: Promise<void> | null = null;
  private next: Promise<void> | null = null;

  constructor(
    private readonly webhookId: string,
    private readonly work: LineWork,
  ) {}

  /** Whether it has as many under way as it may; the line itself begins the next when one ends. */
  get isFull(): boolean {
    return this.underWay >= this.room;
  }

  get isIdle(): boolean {
    return this.underWay === 0 && this.current === null && this.next === null;
  }

  /**
   * Begins what is due, as far as there is room, and notes when there is more to do. Resolves after one look, so that an endpoint that is busy all the time
   * does not hold up the others.
   */
  fill(): Promise<void> {
    if (!this.current) {
      this.current = this.look().finally(() => {
        this.current = null;
      });
      return this.current;
    }
    this.next ??= this.current.then(() => {
      this.next = null;
      return this.fill();
    });
    return this.next;
  }

  private async look(): Promise<void> {
    if (this.work.stopped()) return;
    if (!(await answer(() => this.fillOnce()))) this.work.follow(this.fill());
  }

  /** Looks once. Resolves to false when deliveries came in between. */
  private async fillOnce(): Promise<boolean> {
    const webhook = await findEnabled(this.webhookId);
    if (!webhook) return true;
    this.room = this.work.crowded() ? 1 : deliveriesAtOnce(webhook.failures);
    const free = this.room - this.underWay;
    if (free <= 0) return true;
    const now = await this.work.clock();
    const first = await firstPending(this.webhookId, free + 1);
    const retry = first.find(({ attempts }) => attempts > 0);
    if (retry && !webhook.retryCheckAt) await this.work.adopt(webhook, retry.dueAt);
    const callee = calleeOf(webhook);
    const restMs = this.work.calls.restMs(callee);
    if (restMs > 0) return leaveAlone(webhook, first, new Date(now.getTime() + restMs));
    return this.beginDue(webhook, first, { callee, free, now });
  }

  private async beginDue(webhook: Webhook, first: readonly Pending[], { callee, free, now }: Room): Promise<boolean> {
    const due = first.filter(({ dueAt }) => dueAt <= now);
    const permits = this.permits(callee, Math.min(due.length, free));
    if (due.length > 0 && permits.length === 0) return this.holdBack(webhook, now);
    const leaseUntil = new Date(now.getTime() + this.work.leaseMs);
    const begun = await this.takeUp(webhook, due.slice(0, permits.length), { now, leaseUntil, permits });
    if (begun < permits.length) return false;
    if (due.length > permits.length) return true;
    const [next] = first.slice(due.length);
    return setNextDue(webhook, earlier(next?.dueAt, begun > 0 ? leaseUntil : undefined));
  }

  /** Takes up to `most` passes. Where fewer are granted, the line is full with them. */
  private permits(callee: Callee, most: number): Permit[] {
    const permits: Permit[] = [];
    while (permits.length < most) {
      const permit = this.work.calls.ask(callee, this.underWay + permits.length === 0);
      if (!permit) break;
      permits.push(permit);
    }
    if (permits.length < most) this.room = this.underWay + permits.length;
    return permits;
  }

  /** Holds an endpoint back; with deliveries under way it continues when they end. */
  private async holdBack(webhook: Webhook, now: Date): Promise<boolean> {
    return this.underWay > 0 || setNextDue(webhook, new Date(now.getTime() + SOON_MS));
  }

  private async takeUp(webhook: Webhook, due: readonly Pending[], { now, leaseUntil, permits }: Lease): Promise<number> {
    const ids = due.map(({ _id }) => _id);
    const unused = [...permits];
    try {
      const taken = await take(webhook._id, ids, now, leaseUntil);
      // A run that ended while the database was silent begins nothing: these are claimed again when the lease is over.
      for (const delivery of this.work.stopped() ? [] : taken) {
        const permit = unused.pop();
        if (permit) this.begin(webhook, delivery, permit);
      }
      return taken.length;
    } finally {
      for (const permit of unused) permit.leave(null);
    }
  }

  private begin(webhook: Webhook, delivery: Taken, permit: Permit): void {
    this.underWay++;
    const recorded = this.work.attempt(webhook, delivery, permit).finally(() => {
      permit.leave(null);
      this.underWay--;
    });
    this.work.follow(recorded.then(() => this.fill()));
  }
}

const calleeOf = ({ _id: webhookId, projectId, url }: Webhook): Callee => ({
  kind: 'delivery',
  projectId,
  host: new URL(url).host,
  webhookId,
});

/** Leaves an endpoint alone: begins nothing until then and spends no attempt. */
function leaveAlone(webhook: Webhook, [first]: readonly Pending[], until: Date): Promise<boolean> {
  if (!first) return setNextDue(webhook, null);
  return setNextDue(webhook, first.dueAt > until ? first.dueAt : until, until);
}

const earlier = (a: Date | undefined, b: Date | undefined): Date | null => (a && b ? (a < b ? a : b) : orNull(a ?? b));
