import { setTimeout as sleep } from 'node:timers/promises';

/** The pause between probes, which are begun whether or not earlier ones have arrived, so that slow ones hide nothing. */
const EVERY_MS = 250;
/** A probe that has not arrived this long after the last one began counts as lost. */
const PATIENCE_MS = 60_000;

/** Times in milliseconds. */
export class Latencies {
  private readonly times: number[] = [];
  private lost = 0;

  /** Adds a time; null for a probe that was refused or never arrived. */
  add(milliseconds: number | null): void {
    if (milliseconds === null) this.lost++;
    else this.times.push(Math.max(0, milliseconds));
  }

  get count(): number {
    return this.times.length + this.lost;
  }

  /** Formats p50, p95, p99 and the longest; a lost probe counts as longer than any other. */
  toString(): string {
    const sorted = [...this.times].sort((a, b) => a - b);
    const at = (share: number): string => sorted[Math.min(this.count - 1, Math.floor(this.count * share))]?.toFixed(0) ?? 'lost';
    return [0.5, 0.95, 0.99, 1].map(at).join(' / ');
  }
}

/** Arrivals that are awaited by name. */
export class Arrivals {
  private readonly awaited = new Map<string, (at: number) => void>();

  note(name: string): void {
    this.awaited.get(name)?.(performance.now());
    this.awaited.delete(name);
  }

  /** Resolves to when `name` arrived. */
  of(name: string): Promise<number> {
    return new Promise((resolve) => this.awaited.set(name, resolve));
  }
}

/** One request, and the arrivals that it should cause. */
export interface Probe {
  readonly answered: Promise<unknown>;
  readonly reaches: Readonly<Record<string, Promise<number>>>;
}

/** Measures probes: `answer` from the request to its answer, the other times from there. */
export class Probing {
  private readonly times = new Map<string, Latencies>();
  private giveUp: () => void = () => undefined;
  private readonly given = new Promise<null>((resolve) => (this.giveUp = () => resolve(null)));

  constructor(private readonly begin: () => readonly Probe[]) {}

  of(name: string): Latencies {
    const latencies = this.times.get(name) ?? new Latencies();
    this.times.set(name, latencies);
    return latencies;
  }

  /** Probes until `over` resolves, and then waits for probes under way. */
  async until(over: Promise<unknown>): Promise<void> {
    const underWay: Promise<void>[] = [];
    const ended = over.then(() => true);
    do underWay.push(...this.begin().map((probe) => this.follow(probe)));
    while ((await Promise.race([ended, sleep(EVERY_MS)])) !== true);
    const patience = setTimeout(this.giveUp, PATIENCE_MS);
    await Promise.all(underWay);
    clearTimeout(patience);
  }

  private async follow({ answered, reaches }: Probe): Promise<void> {
    const began = performance.now();
    const isAnswered = await answered.then(
      () => true,
      () => false,
    );
    const at = performance.now();
    this.of('answer').add(isAnswered ? at - began : null);
    const arrivals = Object.entries(reaches).map(async ([name, arrival]) => {
      const came = isAnswered ? await Promise.race([arrival, this.given]) : null;
      this.of(name).add(came === null ? null : came - at);
    });
    await Promise.all(arrivals);
  }
}
