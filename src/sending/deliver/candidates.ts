import { domainOf } from '../../platform/addresses';
import { merged, newId } from '../../platform/core';
import { metrics } from '../../platform/metrics';
import type { Claim, ClaimedOver, Email, MailTransport } from '../../records/emails';
import { listeningWhile } from '../../records/events';
import { Delivery } from './delivery';
import type { Finder } from './delivery';
import type { Answer, Gate } from './transport';

const NONE: ReadonlySet<string> = new Set();

/** Shortest wait of a message, in milliseconds, and why it waits, where its gate says so. */
type Later = Extract<Answer, { readonly laterMs: number }>;

interface Sorted {
  readonly picked: Delivery[];
  readonly kept: Delivery[];
  readonly later: Map<Delivery, Later>;
  /** Number of messages for destinations that may not free up soon. */
  readonly long: Map<string, number>;
  /** Projects that have all the lanes they may have: no more of them is asked for. */
  readonly full: Set<string>;
  /** No further message may be begun. */
  closed: boolean;
}

/** Time for which the listeners are cached for messages that were found together. */
const HEARD_MS = 100;

/** Messages held in memory at most: of a flow that may not free up soon, and of all. */
const HELD_LONG = 40;
const HELD = 400;
/** While this many messages of a project are held, no more of it are looked for. */
const ENOUGH = 100;
/** A destination that works has room for a message within this time; one that waits longer is held, and the pump looks for others meanwhile. */
const HELD_AFTER_MS = 500;
/** The shortest wait of the messages beyond that; spread over as long again. */
const LATER_MS = 5_000;

/** Messages that wait for a lane, first come, first served, as far as their destinations let them. */
export class Candidates {
  private list: Delivery[] = [];
  private readonly ids = new Set<string>();
  private readonly held = new Set<Delivery>();
  private stuck = false;
  /** Projects that have all their lanes, when nothing else waits: results of theirs are gathered before more of them is begun. */
  private full: ReadonlySet<string> = NONE;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly gate: Gate,
    /** Lets messages wait in the ledger until an instant; never rejects. */
    private readonly putOff: (emails: readonly Email[], until: Date, why?: string) => Promise<void>,
    /** Called when messages are to be taken again, though nothing has changed. */
    private readonly again: () => void,
  ) {}

  /** Counts the messages that wait for nothing but a lane, as far as is known. */
  get ready(): number {
    return this.list.length - this.held.size;
  }

  get length(): number {
    return this.list.length;
  }

  /** Lists projects of which enough messages are held. */
  get crowding(): readonly string[] {
    const counts = new Map<string, number>();
    for (const { email } of this.held) counts.set(email.projectId, (counts.get(email.projectId) ?? 0) + 1);
    return [...counts].flatMap(([projectId, count]) => (count < ENOUGH ? [] : [projectId]));
  }

  /** False when the last `take` found none and nothing has changed since, and while all that waits is for lanes of its own project. */
  get maybe(): boolean {
    return this.list.length > 0 && !this.stuck && this.full.size === 0;
  }

  waiting(): readonly string[] {
    return [...this.ids];
  }

  /** Marks that something the messages wait for may have happened. */
  look(): void {
    this.stuck = false;
    this.full = NONE;
  }

  /** Marks that a message is over, whose lane another one may have. */
  lookOn(): void {
    this.stuck = false;
  }

  /** Adds messages, except those it has already. Returns the new ones. */
  add(emails: readonly Email[], pump: Finder): readonly Delivery[] {
    const fresh = withListeners(emails.filter(({ _id }) => !this.ids.has(_id))).map(
      ([email, listening]) => new Delivery(email, pump, listening),
    );
    for (const { email } of fresh) this.ids.add(email._id);
    this.list.push(...fresh);
    if (fresh.some(({ email }) => !this.full.has(email.projectId))) this.look();
    return fresh;
  }

  /** Takes the next messages whose destinations have room, `most` at most. */
  take(most: number): readonly Delivery[] {
    const sorted: Sorted = { picked: [], kept: [], later: new Map(), long: new Map(), full: new Set(), closed: most === 0 };
    for (const candidate of this.list) {
      if (sorted.closed || sorted.picked.length === most || sorted.full.has(candidate.email.projectId)) sorted.kept.push(candidate);
      else this.sort(candidate, this.gate.ask(candidate.email), sorted);
    }
    this.replace(sorted.kept);
    this.wait(sorted.later);
    this.stuck = most > 0 && sorted.picked.length === 0;
    this.full = sorted.kept.every(({ email }) => sorted.full.has(email.projectId)) ? sorted.full : NONE;
    return sorted.picked;
  }

  /** Takes again when the messages that wait now are to be held. */
  private lookLater(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.again();
    }, HELD_AFTER_MS).unref();
  }

  private sort(candidate: Delivery, answer: Answer, into: Sorted): void {
    if ('go' in answer) {
      candidate.leave = answer.go;
      candidate.over = answer.over;
      into.picked.push(candidate);
    } else if ('laterMs' in answer) into.later.set(candidate, answer);
    else if (answer.wait === 'all') this.close(candidate, into);
    else if (answer.wait === 'project') this.keepAll(candidate, into);
    else if (!this.mayHold(candidate, answer.wait, into)) into.later.set(candidate, { laterMs: LATER_MS });
    else into.kept.push(candidate);
  }

  private close(candidate: Delivery, into: Sorted): void {
    into.kept.push(candidate);
    into.closed = true;
  }

  private keepAll(candidate: Delivery, { kept, full }: Sorted): void {
    kept.push(candidate);
    full.add(candidate.email.projectId);
  }

  /** Holds a message that has waited for a while, or comes behind one that has. False when it is to wait in the ledger. */
  private mayHold(candidate: Delivery, wait: 'soon' | 'long', { long }: Sorted): boolean {
    const flow = `${candidate.email.projectId}/${domainOf(candidate.email.to)}`;
    const before = long.get(flow) ?? 0;
    if (before === 0 && performance.now() - candidate.since < HELD_AFTER_MS) {
      this.lookLater();
      return true;
    }
    if (wait === 'long') long.set(flow, before + 1);
    return (wait === 'soon' || before < HELD_LONG) && this.hold(candidate);
  }

  /** Drops a message that is begun or that another worker has claimed. */
  forget(id: string): void {
    this.ids.delete(id);
  }

  /** Drops the messages of a shard, which another worker will find; without `shard`, all messages. */
  leave(shard?: number): void {
    const left = this.list.filter(({ email }) => shard === undefined || email.shard === shard);
    const gone = new Set(left);
    this.replace(this.list.filter((candidate) => !gone.has(candidate)));
    this.drop(left);
    // What was full is not known any more: it may be over when messages are added again.
    this.look();
  }

  /** Holds a message in memory; false when the most are held already. */
  private hold(candidate: Delivery): boolean {
    if (this.held.has(candidate)) return true;
    if (this.held.size >= HELD) return false;
    this.held.add(candidate);
    candidate.pump.held(1);
    return true;
  }

  private replace(kept: Delivery[]): void {
    this.list = kept;
    if (this.held.size === 0) return;
    const still = new Set(kept);
    for (const candidate of this.held) {
      if (still.has(candidate)) continue;
      this.held.delete(candidate);
      candidate.pump.held(-1);
    }
  }

  private drop(left: readonly Delivery[]): void {
    for (const { email, claimed } of left) {
      this.ids.delete(email._id);
      claimed(null);
    }
  }

  /** Defers the messages of each wait in one write, with some spread so that they do not all return at once. */
  private wait(later: ReadonlyMap<Delivery, Later>): void {
    const groups = new Map<string, { readonly seconds: number; readonly why: string | undefined; readonly of: Delivery[] }>();
    for (const [candidate, { laterMs, why }] of later) {
      const seconds = Math.ceil((laterMs + Math.random() * LATER_MS) / 1000);
      const key = `${seconds} ${why}`;
      const group = groups.get(key) ?? { seconds, why, of: [] };
      group.of.push(candidate);
      groups.set(key, group);
    }
    for (const { seconds, why, of } of groups.values()) {
      const now = Math.max(...of.map(({ pump }) => pump.clock().getTime()));
      const emails = of.map(({ email }) => email);
      void this.putOff(emails, new Date(now + seconds * 1000), why).then(() => this.drop(of));
    }
  }
}

/**
 * Returns messages that were found together, each with how to ask who listens to its events: once for all of a project, and again when the answer is older
 * than `HEARD_MS`. What was accepted after somebody began to listen is heard, since it was found after it was accepted.
 */
function withListeners(emails: readonly Email[]): readonly (readonly [Email, Delivery['listening']])[] {
  const asks = new Map<string, Delivery['listening']>();
  return emails.map((email) => {
    const ask = asks.get(email.projectId) ?? listeningWhile(email.projectId, HEARD_MS);
    asks.set(email.projectId, ask);
    return [email, ask];
  });
}

/** Creates one claim of messages, which are under its attempt from then on; null for none. */
export function claimOf(next: readonly Delivery[], worker: string): Claim | null {
  if (next.length === 0) return null;
  const attempt = { id: newId('att'), worker, at: new Date() };
  const over = transportsOf(next);
  for (const delivery of next) delivery.email = merged(delivery.email, { attempts: delivery.email.attempts + 1, attempt });
  // Asked while the messages are on their way: a failure is met again when the answer is needed.
  for (const ask of new Set(next.map(({ listening }) => listening))) ask().catch(() => undefined);
  const now = new Date(Math.max(...next.map(({ pump }) => pump.clock().getTime())));
  const projectIds = [...new Set(next.map(({ email }) => email.projectId))];
  return { ids: next.map(({ email }) => email._id), projectIds, attempt, now, ...(over && { over }) };
}

/** Gives messages the transports that their gate chose, and groups them by these; null where there is one transport. */
function transportsOf(next: readonly Delivery[]): readonly ClaimedOver[] | null {
  const groups = new Map<string, { readonly transport: MailTransport; readonly ids: string[] }>();
  for (const delivery of next) {
    const { over: name, email } = delivery;
    if (name === undefined) return null;
    const inDoubt = email.transport?.inDoubt === true || email.attempt?.lost === true;
    const transport: MailTransport = { name, ...(inDoubt && { inDoubt }) };
    delivery.email = merged(email, { transport });
    const key = `${name} ${String(inDoubt)}`;
    const group = groups.get(key);
    if (group) group.ids.push(email._id);
    else groups.set(key, { transport, ids: [email._id] });
  }
  return [...groups.values()];
}

/** Counts messages whose attempt begins, and how long those that were never tried before have waited. */
export function noteClaimed(emails: readonly Email[]): void {
  const now = Date.now();
  for (const { source, attempts, createdAt, scheduledFor } of emails) {
    metrics.claimed.inc({ kind: source });
    if (attempts > 1) continue;
    const since = Math.max(createdAt.getTime(), scheduledFor?.getTime() ?? 0);
    metrics.deliverySeconds.observe({ kind: source }, Math.max(0, now - since) / 1_000);
  }
}

/** Counts a slice of a campaign that was claimed at `at` and has been on the wire. */
export function noteSlice(count: number, at: Date): void {
  metrics.claimed.inc({ kind: 'campaign' }, count);
  metrics.deliverySeconds.observe({ kind: 'campaign' }, Math.max(0, Date.now() - at.getTime()) / 1_000);
}
