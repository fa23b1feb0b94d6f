import type { Config } from '../../platform/config';
import type { ProjectFacts, RateState } from '../../platform/core';
import type { RateBucket } from './models';

/** The share of its rate that a throttled project has (docs/sending.md, Rate limit). */
const THROTTLED_SHARE = 0.1;

/** The token bucket of a project while a group of requests takes from it. `now` is the database's: processes on several machines share the bucket. */
export class Bucket {
  private readonly perSecond: number;
  private readonly burst: number;
  units: number;
  /** Up to when units were regained. Never moves back, or the same time would be counted twice. */
  readonly at: Date;

  constructor(
    config: Pick<Config, 'SEND_RATE_PER_SECOND' | 'SEND_RATE_BURST'>,
    project: Pick<ProjectFacts, 'reputation'>,
    row: RateBucket | null,
    now: Date,
  ) {
    this.burst = config.SEND_RATE_BURST;
    this.perSecond = config.SEND_RATE_PER_SECOND * (project.reputation.state === 'throttled' ? THROTTLED_SHARE : 1);
    this.at = row && row.at > now ? row.at : now;
    const passed = row ? Math.max(0, now.getTime() - row.at.getTime()) / 1000 : 0;
    this.units = row ? Math.min(this.burst, row.units + passed * this.perSecond) : this.burst;
  }

  /** Takes all units, or none and returns false. */
  take(units: number): boolean {
    if (units > this.units) return false;
    this.units -= units;
    return true;
  }

  /** Returns the whole seconds until so many units are available, at least 1. */
  secondsUntil(units: number): number {
    return Math.max(1, Math.ceil((units - this.units) / this.perSecond));
  }

  state(): RateState {
    return { limit: this.burst, remaining: Math.floor(this.units), reset: Math.ceil((this.burst - this.units) / this.perSecond) };
  }
}
