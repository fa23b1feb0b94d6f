/** Notes who comes. Only one key, such as a project, has come for a while, or several have. */
export class SoleKey {
  private last = '';
  private since = Number.NEGATIVE_INFINITY;

  constructor(private readonly afterMs: number) {}

  note(key: string): void {
    if (key === this.last) return;
    this.last = key;
    this.since = performance.now();
  }

  /** Returns whether all that came since then were of one key. */
  isAlone(): boolean {
    return performance.now() - this.since >= this.afterMs;
  }
}
