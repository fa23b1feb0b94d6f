import type { CallGate, Callee, Pass } from '../../platform/http-client';
import { orNull } from '../../platform/core';
import { deliveriesAtOnce } from '../../rules/webhook-retry';
import { withinLimit } from '../../platform/async';
import type { Webhook } from './model';
import { findEnabled, firstPending, setNextDue, take } from './queue';
import type { Pending, Taken } from './queue';

export interface LineWork {
  readonly clock: () => Promise<Date>;
  /** How long a delivery that is taken up belongs to whoever did so. */
  readonly leaseMs: number;
  /** Makes an attempt and records what came of it. */
  readonly attempt: (webhook: Webhook, delivery: Taken, pass: Pass) => Promise<void>;
  readonly calls: CallGate;
  /** Is given an endpoint with deliveries that wait for another attempt, and when one of them is due, where no workflow is known to wait with them. */
  readonly adopt: (webhook: Webhook, retryAt: Date) => Promise<void>;
  /** While many deliveries are under way, each endpoint gets one at a time. */
  readonly crowded: () => boolean;
  readonly stopped: () => boolean;
  /** Is given what the line goes on with by itself. */
  readonly follow: (done: Promise<void>) => void;
}

/** An endpoint that finds no place for its first call looks again after so long. */
const SOON_MS = 500;

/** A run whose database does not answer ends; the workflow tries again. */
const ANSWER_MS = 20_000;

interface Lease {
  readonly now: Date;
  readonly leaseUntil: Date;
  readonly passes: readonly Pass[];
}

interface Room {
  readonly callee: Callee;
  readonly free: number;
  readonly now: Date;
}

/** The deliveries to one endpoint: as many under way as it may have, the others in the order in which they are due. */
export class EndpointLine {
  private underWay = 0;
  private room = 1;
  private current: Promise<void> | null = null;
  private next: Promise<void> | null = null;

  constructor(
    private readonly webhookId: string,
    private readonly work: LineWork,
  ) {}

  /** When one of them ends, the line itself takes the next. */
  get isFull(): boolean {
    return this.underWay >= this.room;
  }

  get isIdle(): boolean {
    return this.underWay === 0 && this.current === null && this.next === null;
  }

  /**
   * Begins what is due, as far as there is room, and notes when there is more to do. Resolves when it has looked once: whoever serves other endpoints too
   * does not wait for one that is busy all the time.
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
    if (!(await withinLimit(ANSWER_MS, () => this.fillOnce()))) this.work.follow(this.fill());
  }

  /** Resolves to false when something came in between. */
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
    const passes = this.passes(callee, Math.min(due.length, free));
    if (due.length > 0 && passes.length === 0) return this.holdBack(webhook, now);
    const leaseUntil = new Date(now.getTime() + this.work.leaseMs);
    const begun = await this.takeUp(webhook, due.slice(0, passes.length), { now, leaseUntil, passes });
    if (begun < passes.length) return false;
    if (due.length > passes.length) return true;
    const [next] = first.slice(due.length);
    return setNextDue(webhook, earlier(next?.dueAt, begun > 0 ? leaseUntil : undefined));
  }

  /** As many as are given, up to so many. Where there are fewer, the line is full with them. */
  private passes(callee: Callee, most: number): Pass[] {
    const passes: Pass[] = [];
    while (passes.length < most) {
      const pass = this.work.calls.ask(callee, this.underWay + passes.length === 0);
      if (!pass) break;
      passes.push(pass);
    }
    if (passes.length < most) this.room = this.underWay + passes.length;
    return passes;
  }

  /** One that has deliveries under way goes on when they end. */
  private async holdBack(webhook: Webhook, now: Date): Promise<boolean> {
    return this.underWay > 0 || setNextDue(webhook, new Date(now.getTime() + SOON_MS));
  }

  private async takeUp(webhook: Webhook, due: readonly Pending[], { now, leaseUntil, passes }: Lease): Promise<number> {
    const ids = due.map(({ _id }) => _id);
    const unused = [...passes];
    try {
      const taken = await take(ids, now, leaseUntil);
      // A run that ended while the database was silent begins nothing: others take these up when the lease is over.
      for (const delivery of this.work.stopped() ? [] : taken) {
        const pass = unused.pop();
        if (pass) this.begin(webhook, delivery, pass);
      }
      return taken.length;
    } finally {
      for (const pass of unused) pass.leave(null);
    }
  }

  private begin(webhook: Webhook, delivery: Taken, pass: Pass): void {
    this.underWay++;
    const recorded = this.work.attempt(webhook, delivery, pass).finally(() => {
      pass.leave(null);
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

/** Nothing is begun until then, and no attempt spent. */
function leaveAlone(webhook: Webhook, [first]: readonly Pending[], until: Date): Promise<boolean> {
  if (!first) return setNextDue(webhook, null);
  return setNextDue(webhook, first.dueAt > until ? first.dueAt : until, until);
}

const earlier = (a: Date | undefined, b: Date | undefined): Date | null => (a && b ? (a < b ? a : b) : orNull(a ?? b));
