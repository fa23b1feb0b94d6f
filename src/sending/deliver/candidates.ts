import type { Email } from '../../records/emails';
import type { Answer, Gate, Leave } from './gate';
import type { Clock } from './lane';

/** What a pump learns of the messages that it found. */
export interface Finder {
  /** Called once for each: it is recorded, or turns out not to be ours, or is left for another look. */
  readonly done: () => void;
  /** Called with 1 when it waits for its destination, and with -1 when it waits no more: the pump may look for others meanwhile. */
  readonly held: (by: 1 | -1) => void;
}

/** A due message that a pump found, not yet ours. */
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
  /** How many wait for destinations of which little is known. */
  long: number;
  /** None of the others may be begun. */
  closed: boolean;
}

/** Messages that wait in memory for a destination of which it is not known that it will have them soon; and for all destinations. */
const HELD_LONG = 40;
const HELD = 400;
/** The others are looked at again after so long, some time in the same span. */
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

  /** Those that wait for a lane and for nothing else, as far as is known. */
  get ready(): number {
    return this.list.length - this.held.size;
  }

  get length(): number {
    return this.list.length;
  }

  /** Whether it is worth while to take some: nothing has changed since none could be had. */
  get maybe(): boolean {
    return this.list.length > 0 && !this.stuck;
  }

  waiting(): readonly string[] {
    return [...this.ids];
  }

  /** Something that they waited for may have happened. */
  look(): void {
    this.stuck = false;
  }

  /** Resolves to how many it did not have already. */
  add(emails: readonly Email[], clock: Clock, finder: Finder): number {
    const fresh = emails.filter(({ _id }) => !this.ids.has(_id));
    for (const email of fresh) {
      this.ids.add(email._id);
      this.list.push({ email, clock, done: finder.done, held: finder.held });
    }
    if (fresh.length > 0) this.look();
    return fresh.length;
  }

  /** The next ones, at most so many; their destinations have room for them. */
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

  /** It is begun, or turned out not to be ours. */
  forget(id: string): void {
    this.ids.delete(id);
  }

  /** Leaves those of a shard to somebody else; without one, all. */
  leave(shard?: number): void {
    const left = this.list.filter(({ email }) => shard === undefined || email.shard === shard);
    const gone = new Set(left);
    this.replace(this.list.filter((candidate) => !gone.has(candidate)));
    this.drop(left);
  }

  /** False when as many are held already. */
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

  /** Each group of the same wait in one write, spread a little so that they do not come back in one moment. */
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
