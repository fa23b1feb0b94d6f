import { orNull } from '../or-null';
import { deliveriesAtOnce } from '../rules/webhook-retry';
import { withinLimit } from '../time-limit';
import type { Webhook } from './model';
import { findEnabled, firstPending, setNextDue, take } from './queue';
import type { Pending, Taken } from './queue';

export interface LineWork {
  readonly clock: () => Promise<Date>;
  /** How long a delivery that is taken up belongs to whoever did so. */
  readonly leaseMs: number;
  /** Makes an attempt and records what came of it. */
  readonly attempt: (webhook: Webhook, delivery: Taken) => Promise<void>;
  /** Is given an endpoint with deliveries that wait for another attempt, and when one of them is due, where no workflow is known to wait with them. */
  readonly adopt: (webhook: Webhook, retryAt: Date) => Promise<void>;
  /** While many deliveries are under way, each endpoint gets one at a time. */
  readonly crowded: () => boolean;
  readonly stopped: () => boolean;
  /** Is given what the line goes on with by itself. */
  readonly follow: (done: Promise<void>) => void;
}

/** A run whose database does not answer ends; the workflow tries again. */
const ANSWER_MS = 20_000;

interface Lease {
  readonly now: Date;
  readonly leaseUntil: Date;
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
    const due = first.filter(({ dueAt }) => dueAt <= now);
    const leaseUntil = new Date(now.getTime() + this.work.leaseMs);
    const begun = await this.takeUp(webhook, due.slice(0, free), { now, leaseUntil });
    if (begun < Math.min(due.length, free)) return false;
    if (due.length > free) return true;
    const [next] = first.slice(due.length);
    return setNextDue(webhook, earlier(next?.dueAt, begun > 0 ? leaseUntil : undefined));
  }

  private async takeUp(webhook: Webhook, due: readonly Pending[], { now, leaseUntil }: Lease): Promise<number> {
    const ids = due.map(({ _id }) => _id);
    const taken = await take(ids, now, leaseUntil);
    // A run that ended while the database was silent begins nothing: others take these up when the lease is over.
    for (const delivery of taken) if (!this.work.stopped()) this.begin(webhook, delivery);
    return taken.length;
  }

  private begin(webhook: Webhook, delivery: Taken): void {
    this.underWay++;
    const recorded = this.work.attempt(webhook, delivery).finally(() => {
      this.underWay--;
    });
    this.work.follow(recorded.then(() => this.fill()));
  }
}

const earlier = (a: Date | undefined, b: Date | undefined): Date | null => (a && b ? (a < b ? a : b) : orNull(a ?? b));
