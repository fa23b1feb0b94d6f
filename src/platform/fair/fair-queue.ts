/** Notes who comes. Only one key, such as a project, has come for a while, or several have. */
export class SoleKey {
  private last = '';
  private since = Number.NEGATIVE_INFINITY;

  constructor(private readonly afterMs: number) {}

  note(key: string): void {
    if (key === this.last) return;
    this.last = key;
    this.since = performance.now();
  }

  /** Returns whether all that came since then were of one key. */
  isAlone(): boolean {
    return performance.now() - this.since >= this.afterMs;
  }
}

interface Sharing {
  /** Places that may be taken at the same time. */
  readonly most: number;
  /** Additional places for keys that have few, whatever the others hold. */
  readonly spare?: number;
  /** Limit for a key that has been the only active one for `afterMs`. */
  readonly alone?: { readonly most: number; readonly afterMs: number };
  /** A request that waits is refused after `patienceMs`. The one that has waited longest is refused when no place was given for `stallMs`. */
  readonly away?: { readonly stallMs?: number; readonly patienceMs: number };
}

/** A key that has fewer may also take a spare place. */
const FEW = 2;

type Kind = 'shared' | 'spare';

type Leave = () => void;

interface Waiting {
  readonly key: string;
  /** Grows with each. */
  readonly order: number;
  readonly since: number;
  readonly resolve: (leave: Leave | null) => void;
}

/** The places that a key has and had. */
interface Standing {
  places: number;
  /** Grows with each place that is given. */
  served: number;
}

/**
 * Returns whether a key is served before another: the key with fewer places first; of keys with the same number, the one that was served
 * longest ago.
 */
const isBefore = (one: Standing, other: Standing): boolean =>
  one.places === other.places ? one.served < other.served : one.places < other.places;

const NOTHING: Readonly<Standing> = { places: 0, served: 0 };

/**
 * Places that keys, such as projects, share. One key may have all of them while no other wants any; where there are too few, a place that
 * becomes free goes to the key that has the fewest, and spare places are for those that have hardly any. Of one key, the first to come is
 * the first to have a place.
 */
export class FairQueue {
  /** Standings of the keys that have a place or wait for one. */
  private readonly standings = new Map<string, Standing>();
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly taken: Record<Kind, number> = { shared: 0, spare: 0 };
  private asked = 0;
  private given = 0;
  private readonly sole: SoleKey;
  private stalled: NodeJS.Timeout | undefined;

  constructor(private readonly sharing: Sharing) {
    this.sole = new SoleKey(sharing.alone?.afterMs ?? Number.POSITIVE_INFINITY);
  }

  /** Resolves, once a place is free, to a function that leaves it; to null when the request is refused. */
  take(key: string): Promise<Leave | null> {
    this.sole.note(key);
    const line = this.waiting.get(key);
    const free = line ? null : this.freeFor(key);
    if (free) return Promise.resolve(this.enter(key, free));
    return new Promise((resolve) => {
      const one = { key, order: this.asked++, since: Date.now(), resolve };
      if (line) line.push(one);
      else this.waiting.set(key, [one]);
      this.watch();
    });
  }

  private standingOf(key: string): Readonly<Standing> {
    return this.standings.get(key) ?? NOTHING;
  }

  private freeFor(key: string): Kind | null {
    const { most, spare = 0, alone } = this.sharing;
    const { taken } = this;
    if (taken.shared < most || (alone && taken.shared < alone.most && this.sole.isAlone())) return 'shared';
    return taken.spare < spare && this.standingOf(key).places < FEW ? 'spare' : null;
  }

  private enter(key: string, kind: Kind): Leave {
    const standing = this.standings.get(key) ?? { ...NOTHING };
    this.standings.set(key, standing);
    this.taken[kind]++;
    standing.places++;
    standing.served = ++this.given;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.taken[kind]--;
      standing.places--;
      this.forget(key);
      this.fill();
    };
  }

  private forget(key: string): void {
    if (this.standingOf(key).places === 0 && !this.waiting.has(key)) this.standings.delete(key);
  }

  private fill(): void {
    for (;;) {
      const next = this.first((one, other) => isBefore(this.standingOf(one.key), this.standingOf(other.key)));
      const free = next && this.freeFor(next.key);
      if (!free) return;
      this.remove(next);
      next.resolve(this.enter(next.key, free));
    }
  }

  /** Returns the first of the key whose first comes before those of the others. */
  private first(comesBefore: (one: Waiting, other: Waiting) => boolean): Waiting | null {
    let found: Waiting | null = null;
    for (const [one] of this.waiting.values()) {
      if (one && (!found || comesBefore(one, found))) found = one;
    }
    return found;
  }

  /** Removes the first of a key. */
  private remove({ key }: Waiting): void {
    const line = this.waiting.get(key);
    line?.shift();
    if (!line?.length) this.waiting.delete(key);
    clearTimeout(this.stalled);
    this.stalled = undefined;
    this.watch();
  }

  /** Refuses the longest waiting when no place was given for `stallMs`, or when it has waited for `patienceMs`. */
  private watch(): void {
    const { away } = this.sharing;
    const longest = away && this.first((one, other) => one.order < other.order);
    if (!longest) return;
    const { stallMs = Number.POSITIVE_INFINITY, patienceMs } = away;
    this.stalled ??= setTimeout(
      () => {
        this.remove(longest);
        this.forget(longest.key);
        longest.resolve(null);
      },
      Math.max(0, Math.min(stallMs, longest.since + patienceMs - Date.now())),
    ).unref();
  }
}
