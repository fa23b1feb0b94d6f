import type { Breaker, Verdict } from '../../platform/fair';
import type { Leave } from './transport';

/** Leaves what nothing was taken of. */
export const NO_LEAVE: Leave = () => undefined;

/** Returns what ends several permissions. */
export const leaveAll =
  (...leaves: readonly Leave[]): Leave =>
  () => {
    for (const leave of leaves) leave();
  };

interface Allowances {
  readonly first: number;
  readonly most: number;
  /** After a failure, until the next message is taken. */
  readonly trial: number;
}

/** A receiver of mail: it pauses for a while when it fails, and has few lanes until it accepts messages: twice as many with each. */
export class Taker {
  busy = 0;
  private allowance: number;

  constructor(
    private readonly breaker: Breaker,
    private readonly allowances: Allowances,
  ) {
    this.allowance = allowances.first;
  }

  /** Returns for how many milliseconds it is left alone still. */
  get restMs(): number {
    return this.breaker.restMs;
  }

  /** It failed last time, and has not taken a message since. */
  get onTrial(): boolean {
    return this.breaker.onTrial;
  }

  /** Whether it has not taken enough yet to be known to work. */
  get isUnknown(): boolean {
    return this.allowance <= this.allowances.first;
  }

  get hasRoom(): boolean {
    return this.busy < this.allowance;
  }

  note(verdict: Verdict): void {
    this.breaker.note(verdict);
    if (this.onTrial) this.allowance = this.allowances.trial;
    else if (verdict === 'well') this.allowance = Math.min(this.allowances.most, this.allowance * 2);
  }

  take(): Leave {
    this.busy++;
    return () => void this.busy--;
  }
}

/** Lanes in use by name. One name gets at most three quarters of what the others leave, so that there is always a lane for another one. */
export class Shares {
  private readonly taken = new Map<string, number>();
  private all = 0;

  constructor(private readonly lanes: number) {}

  get total(): number {
    return this.all;
  }

  hasRoom(name: string): boolean {
    const own = this.of(name);
    return own < shareOf(this.lanes - (this.all - own));
  }

  of(name: string): number {
    return this.taken.get(name) ?? 0;
  }

  take(name: string): Leave {
    this.count(name, 1);
    return () => this.count(name, -1);
  }

  private count(name: string, by: 1 | -1): void {
    this.all += by;
    const taken = this.of(name) + by;
    if (taken > 0) this.taken.set(name, taken);
    else this.taken.delete(name);
  }
}

/** Returns how many of some lanes a project's mail may have, also to one domain: one in eight, at least one, is for others. */
export const totalOf = (lanes: number): number => (lanes <= 2 ? lanes : lanes - Math.max(1, Math.floor(lanes / 8)));

/** Returns how many of some lanes campaign mail of a project may have: there is one more for its other mail. */
export const lendableOf = (lanes: number): number => Math.max(1, Math.min(shareOf(lanes), totalOf(lanes) - 1));

/** Returns how many of some lanes one exchanger, or flows that are not proven, may have. */
export const shareOf = (lanes: number): number => Math.max(1, Math.floor((lanes * 3) / 4));
