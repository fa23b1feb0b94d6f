import type { Email } from '../../records/emails';
import type { Clock } from './deliver';
import type { Answer, Gate, Leave } from './transport';

/** Callbacks by which a pump follows the messages that it found. */
export interface Finder {
  /** Called once for each message: it is recorded, another worker has claimed it, or it is left for a later look. */
  readonly done: () => void;
  /** Called with 1 when it waits for its destination, and with -1 when it waits no more: the pump may look for others meanwhile. */
  readonly held: (by: 1 | -1) => void;
}

/** A due message that a pump found, not claimed yet. */
export interface Candidate extends Finder {
  readonly email: Email;
  readonly clock: Clock;
}

export interface Picked extends Candidate {
  readonly leave: Leave;
}

interface Later {
  readonly candidate: Candidate;
  readonly laterMs: number;
}

interface Sorted {
  readonly picked: Picked[];
  readonly kept: Candidate[];
  readonly later: Later[];
  readonly left: Candidate[];
  /** How many wait for destinations that may not free up soon. */
  long: number;
  /** No further message may be begun. */
  closed: boolean;
}

/** Messages held in memory at most: for destinations that may not free up soon, and for all destinations. */
const HELD_LONG = 40;
const HELD = 400;
/** The shortest wait of the messages beyond that; spread over as long again. */
const LATER_MS = 5_000;

/** Messages that wait for a lane, first come, first served, as far as their destinations let them. */
export class Candidates {
  private list: Candidate[] = [];
  private readonly ids = new Set<string>();
  private readonly held = new Set<Candidate>();
  private stuck = false;

  constructor(
    private readonly gate: Gate,
    /** Lets messages wait in the ledger for so long; never rejects. */
    private readonly putOff: (ids: readonly string[], until: Date) => Promise<void>,
  ) {}

  /** Counts the messages that wait for nothing but a lane, as far as is known. */
  get ready(): number {
    return this.list.length - this.held.size;
  }

  get length(): number {
    return this.list.length;
  }

  /** False when the last `take` found none and nothing has changed since. */
  get maybe(): boolean {
    return this.list.length > 0 && !this.stuck;
  }

  waiting(): readonly string[] {
    return [...this.ids];
  }

  /** Marks that something the messages wait for may have happened. */
  look(): void {
    this.stuck = false;
  }

  /** Adds messages, except those it has already. Returns how many were new. */
  add(emails: readonly Email[], clock: Clock, finder: Finder): number {
    const fresh = emails.filter(({ _id }) => !this.ids.has(_id));
    for (const email of fresh) {
      this.ids.add(email._id);
      this.list.push({ email, clock, done: finder.done, held: finder.held });
    }
    if (fresh.length > 0) this.look();
    return fresh.length;
  }

  /** Takes the next messages whose destinations have room, `most` at most. */
  take(most: number): readonly Picked[] {
    const sorted: Sorted = { picked: [], kept: [], later: [], left: [], long: 0, closed: most === 0 };
    for (const candidate of this.list) {
      if (sorted.closed || sorted.picked.length === most) sorted.kept.push(candidate);
      else this.sort(candidate, this.gate.ask(candidate.email), sorted);
    }
    this.replace(sorted.kept);
    this.drop(sorted.left);
    this.wait(sorted.later);
    this.stuck = most > 0 && sorted.picked.length === 0;
    return sorted.picked;
  }

  private sort(candidate: Candidate, answer: Answer, into: Sorted): void {
    if ('go' in answer) into.picked.push({ ...candidate, leave: answer.go });
    else if ('laterMs' in answer) into.later.push({ candidate, laterMs: answer.laterMs });
    else if (answer.wait === 'all') into.closed = into.kept.push(candidate) > 0;
    else if (answer.wait === 'long' && ++into.long > HELD_LONG) into.later.push({ candidate, laterMs: LATER_MS });
    else if (this.hold(candidate)) into.kept.push(candidate);
    else into.left.push(candidate);
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
  }

  /** Holds a message in memory; false when the most are held already. */
  private hold(candidate: Candidate): boolean {
    if (this.held.has(candidate)) return true;
    if (this.held.size >= HELD) return false;
    this.held.add(candidate);
    candidate.held(1);
    return true;
  }

  private replace(kept: Candidate[]): void {
    this.list = kept;
    if (this.held.size === 0) return;
    const still = new Set(kept);
    for (const candidate of this.held) {
      if (still.has(candidate)) continue;
      this.held.delete(candidate);
      candidate.held(-1);
    }
  }

  private drop(left: readonly Candidate[]): void {
    for (const { email, done } of left) {
      this.ids.delete(email._id);
      done();
    }
  }

  /** Puts off the messages of each wait in one write, with some spread so that they do not all return at once. */
  private wait(later: readonly Later[]): void {
    const groups = new Map<number, Candidate[]>();
    for (const { candidate, laterMs } of later) {
      const seconds = Math.ceil((laterMs + Math.random() * LATER_MS) / 1000);
      groups.set(seconds, [...(groups.get(seconds) ?? []), candidate]);
    }
    for (const [seconds, group] of groups) {
      const now = Math.max(...group.map(({ clock }) => clock().getTime()));
      const ids = group.map(({ email }) => email._id);
      void this.putOff(ids, new Date(now + seconds * 1000)).then(() => this.drop(group));
    }
  }
}
