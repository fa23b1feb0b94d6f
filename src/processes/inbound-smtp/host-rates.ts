import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;
/** Above this number of hosts within a minute, those that were quiet longest begin again. */
const MOST_HOSTS = 50_000;

/** Counts the messages that each sending host has begun with this process. The minute of a host begins with the first of them. */
export class HostRates {
  private readonly minutes = new LRUCache<string, { begun: number }>({ max: MOST_HOSTS, ttl: MINUTE_MS });

  /** `perMinute`: 0 for any number. */
  constructor(private readonly perMinute: number) {}

  /** Counts a message; false when it is one too many. */
  take(host: string): boolean {
    if (this.perMinute === 0) return true;
    const minute = this.minutes.get(host);
    if (!minute) this.minutes.set(host, { begun: 1 });
    else if (minute.begun < this.perMinute) minute.begun++;
    else return false;
    return true;
  }
}
