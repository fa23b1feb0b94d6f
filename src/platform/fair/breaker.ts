/** The outcome of the last piece of work that a host was given. */
export type Verdict = 'well' | 'busy' | 'gone' | 'other';

export interface BreakerTimes {
  /** Pauses after one failure, two in a row, and so on; the last for all that follow. */
  readonly pausesMs: readonly number[];
  /** This many temporary refusals within `stormMs`, with nothing accepted, count as a failure. */
  readonly storm: number;
  readonly stormMs: number;
}

/**
 * Leaves a host alone for a while that does not answer or says that it is too busy, for longer each time. After a pause it is given one message at a
 * time until it takes one.
 */
export class Breaker {
  private failures = 0;
  private openUntil = Number.NEGATIVE_INFINITY;
  private refusals: number[] = [];

  constructor(
    private readonly times: BreakerTimes,
    /** Called when a pause begins. */
    private readonly opened: (pauseMs: number, failures: number) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Returns for how many milliseconds it is left alone still; 0 when it may be asked. */
  get restMs(): number {
    return Math.max(0, this.openUntil - this.now());
  }

  /** It failed last time and has not taken a message since. */
  get onTrial(): boolean {
    return this.failures > 0;
  }

  /** Records a result. `gone`: no answer, or 421. `busy`: refused for the moment, which says something of the host only when it happens again and again. */
  note(verdict: Verdict): void {
    if (verdict === 'well') {
      this.failures = 0;
      this.refusals = [];
    } else if (verdict === 'gone' || (verdict === 'busy' && this.isStorm())) this.open();
  }

  private isStorm(): boolean {
    const now = this.now();
    this.refusals = [...this.refusals.filter((at) => at > now - this.times.stormMs), now];
    return this.refusals.length >= this.times.storm;
  }

  /** Opens the breaker. Results of calls that were under way when the pause began do not make it longer. */
  private open(): void {
    if (this.restMs > 0) return;
    const { pausesMs } = this.times;
    const pauseMs = pausesMs[Math.min(this.failures, pausesMs.length - 1)] ?? 0;
    this.failures++;
    this.refusals = [];
    this.openUntil = this.now() + pauseMs;
    this.opened(pauseMs, this.failures);
  }
}
