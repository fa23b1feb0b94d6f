import { sequences } from '../emails/wakes';
import { withinLimit } from '../time-limit';

const POLL_MS = 15;
const LONGEST_MS = 500;
const ANSWER_MS = 5_000;

interface Watcher {
  readonly shard: number;
  readonly seen: number;
  readonly until: number;
  readonly resolve: (sequence: number) => void;
}

/**
 * Tells the pumps of a process when their shards are woken: one small query for all of them at a time, and none while no pump waits.
 * A change stream would make the server look at every entry of the oplog, most of which are e-mails.
 */
export class WakeWatch {
  private watchers: Watcher[] = [];
  private polling = false;

  /** Resolves to the shard's sequence when it is not `seen` any more, or after half a second. */
  changed(shard: number, seen: number): Promise<number> {
    return new Promise((resolve) => {
      this.watchers.push({ shard, seen, until: performance.now() + LONGEST_MS, resolve });
      if (!this.polling) void this.poll();
    });
  }

  private async poll(): Promise<void> {
    this.polling = true;
    while (this.watchers.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      const shards = [...new Set(this.watchers.map(({ shard }) => shard))];
      const current = await withinLimit(ANSWER_MS, () => sequences(shards)).catch(() => new Map<number, number>());
      this.watchers = this.watchers.filter((watcher) => !settled(watcher, current.get(watcher.shard)));
    }
    this.polling = false;
  }
}

function settled({ seen, until, resolve }: Watcher, current: number | undefined): boolean {
  const changed = current !== undefined && current !== seen;
  if (!changed && performance.now() < until) return false;
  resolve(current ?? seen);
  return true;
}
