import { sequences } from './service';
import { withinLimit } from '../async';

const POLL_MS = 15;
const LONGEST_MS = 500;
const ANSWER_MS = 5_000;

interface Watcher {
  readonly pump: string;
  readonly seen: number;
  readonly until: number;
  readonly resolve: (sequence: number) => void;
}

/**
 * Notifies the pumps of a process when they are woken: one small query for all of them at a time, and none while no pump waits.
 * A change stream would make the server look at every entry of the oplog, most of which are e-mails.
 */
export class WakeWatch {
  private watchers: Watcher[] = [];
  private polling = false;

  /** Resolves to the pump's sequence when it is not `seen` any more, or after half a second. */
  changed(pump: string, seen: number): Promise<number> {
    return new Promise((resolve) => {
      this.watchers.push({ pump, seen, until: performance.now() + LONGEST_MS, resolve });
      if (!this.polling) void this.poll();
    });
  }

  private async poll(): Promise<void> {
    this.polling = true;
    while (this.watchers.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      const pumps = [...new Set(this.watchers.map(({ pump }) => pump))];
      const current = await withinLimit(ANSWER_MS, () => sequences(pumps)).catch(() => new Map<string, number>());
      this.watchers = this.watchers.filter((watcher) => !isDone(watcher, current.get(watcher.pump)));
    }
    this.polling = false;
  }
}

function isDone({ seen, until, resolve }: Watcher, current: number | undefined): boolean {
  const changed = current !== undefined && current !== seen;
  if (!changed && performance.now() < until) return false;
  resolve(current ?? seen);
  return true;
}
