/** Longer than a turn takes, and short enough that the sender still waits for its answer. */
const WAIT_MS = 30_000;

type Finished = () => void;

interface Waiting {
  readonly network: string;
  readonly begin: (finished: Finished | null) => void;
  readonly timer: NodeJS.Timeout;
}

/** A number of places that networks take in turns: who sends much waits for itself, not for others. */
export class Turns {
  private readonly waiting: Waiting[] = [];
  /** Number of places of each network. */
  private readonly taken = new Map<string, number>();
  /** When each network that waits or has a place was last given one. */
  private readonly served = new Map<string, number>();
  private free: number;
  private count = 0;

  constructor(places: number) {
    this.free = places;
  }

  /** Resolves when it is the network's turn, to what ends the turn; to null where that has not come within half a minute. */
  take(network: string): Promise<Finished | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        this.forget(network);
        resolve(null);
      }, WAIT_MS).unref();
      const waiting: Waiting = { network, begin: resolve, timer };
      this.waiting.push(waiting);
      this.next();
    });
  }

  /** Gives free places to the networks with the fewest; among equals, to the one served longest ago. */
  private next(): void {
    while (this.free > 0 && this.waiting.length > 0) {
      const first = this.waiting.reduce((best, other) => (this.isBefore(other, best) ? other : best));
      this.waiting.splice(this.waiting.indexOf(first), 1);
      clearTimeout(first.timer);
      this.free--;
      this.taken.set(first.network, this.placesOf(first.network) + 1);
      this.served.set(first.network, ++this.count);
      first.begin(() => this.finish(first.network));
    }
  }

  private isBefore(one: Waiting, other: Waiting): boolean {
    const [places, placesOfOther] = [this.placesOf(one.network), this.placesOf(other.network)];
    if (places !== placesOfOther) return places < placesOfOther;
    return (this.served.get(one.network) ?? 0) < (this.served.get(other.network) ?? 0);
  }

  private placesOf(network: string): number {
    return this.taken.get(network) ?? 0;
  }

  private finish(network: string): void {
    this.free++;
    const left = this.placesOf(network) - 1;
    if (left > 0) this.taken.set(network, left);
    else this.taken.delete(network);
    this.forget(network);
    this.next();
  }

  private forget(network: string): void {
    if (this.placesOf(network) === 0 && !this.waiting.some((other) => other.network === network)) this.served.delete(network);
  }
}
