import { SoleKey } from './sole-key';

interface PlacesOptions {
  /** Limit for all keys together. */
  readonly most: number;
  /** Additional places for keys that have few, whatever the others hold. */
  readonly spare?: number;
  /** Limit for a key that has been the only active one for `afterMs`. */
  readonly alone?: { readonly most: number; readonly afterMs: number };
  /** Limits for waiting: the longest waiting is refused when no place was given for `stallMs`, and each after `patienceMs`. */
  readonly away?: { readonly stallMs: number; readonly patienceMs: number };
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

/**
 * Places that keys, such as projects, share. One key may have all of them while no other wants any; where there are too few, a place that
 * becomes free goes to the key that has the fewest, and spare places are for those that have hardly any. Of one key, the first to come is
 * the first to have a place.
 */
export class Places {
  private readonly busy = new Map<string, number>();
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly taken: Record<Kind, number> = { shared: 0, spare: 0 };
  private asked = 0;
  private readonly sole: SoleKey;
  private stalled: NodeJS.Timeout | undefined;

  constructor(private readonly options: PlacesOptions) {
    this.sole = new SoleKey(options.alone?.afterMs ?? Number.POSITIVE_INFINITY);
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

  private freeFor(key: string): Kind | null {
    const { most, spare = 0, alone } = this.options;
    const { taken } = this;
    if (taken.shared < most || (alone && taken.shared < alone.most && this.sole.isAlone())) return 'shared';
    return taken.spare < spare && (this.busy.get(key) ?? 0) < FEW ? 'spare' : null;
  }

  private enter(key: string, kind: Kind): Leave {
    this.count(key, kind, 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.count(key, kind, -1);
      this.fill();
    };
  }

  private count(key: string, kind: Kind, by: 1 | -1): void {
    this.taken[kind] += by;
    const busy = (this.busy.get(key) ?? 0) + by;
    if (busy > 0) this.busy.set(key, busy);
    else this.busy.delete(key);
  }

  private fill(): void {
    for (;;) {
      const next = this.first(({ key }) => this.busy.get(key) ?? 0);
      const free = next && this.freeFor(next.key);
      if (!free) return;
      this.remove(next);
      next.resolve(this.enter(next.key, free));
    }
  }

  /** Returns the first of the key whose first has the least of something. */
  private first(by: (one: Waiting) => number): Waiting | null {
    let found: Waiting | null = null;
    for (const [one] of this.waiting.values()) {
      if (one && (!found || by(one) < by(found))) found = one;
    }
    return found;
  }

  /** Removes the first of a key, which is the last to be served again among keys that have as much. */
  private remove({ key }: Waiting): void {
    const [, ...line] = this.waiting.get(key) ?? [];
    this.waiting.delete(key);
    if (line.length > 0) this.waiting.set(key, line);
    clearTimeout(this.stalled);
    this.stalled = undefined;
    this.watch();
  }

  /** Refuses the longest waiting when no place was given for `stallMs`, or when it has waited for `patienceMs`. */
  private watch(): void {
    const { away } = this.options;
    const longest = this.first(({ order }) => order);
    if (!away || !longest) return;
    this.stalled ??= setTimeout(
      () => {
        this.remove(longest);
        longest.resolve(null);
      },
      Math.max(0, Math.min(away.stallMs, longest.since + away.patienceMs - Date.now())),
    );
  }
}
