import { LRUCache } from 'lru-cache';

interface WindowOptions {
  /** The most passes of a key in a window. */
  readonly most: number;
  readonly windowMs: number;
  /** The most keys that are counted. When there are more, the count of those that were quiet longest starts again. */
  readonly keys: number;
}

/** Counts the passes of each key in this process. The window of a key begins with its first pass. */
export class Windows {
  private readonly windows: LRUCache<string, { elapsed: number }>;

  constructor(private readonly options: WindowOptions) {
    this.windows = new LRUCache({ max: options.keys, ttl: options.windowMs });
  }

  /** Returns whether a key has no pass left in its window. */
  isSpent(key: string): boolean {
    return (this.windows.get(key)?.elapsed ?? 0) >= this.options.most;
  }

  /** Counts a pass; false, and not counted, when it is one too many. */
  take(key: string): boolean {
    const window = this.windows.get(key);
    if (!window) this.windows.set(key, { elapsed: 1 });
    else if (window.elapsed < this.options.most) window.elapsed++;
    else return false;
    return true;
  }
}
