/** Runs work that has a key in common one after another, and all else at the same time. */
export class Sequence {
  /** The last work of each key that is under way. */
  private readonly last = new Map<string, Promise<void>>();

  /** Runs `work` once all that came before it for one of its keys has ended, well or not. Keys are taken in their order: name the most contended first. */
  async run<T>([key, ...others]: readonly string[], work: () => Promise<T>): Promise<T> {
    if (key === undefined) return work();
    const done = (this.last.get(key) ?? Promise.resolve()).then(() => this.run(others, work));
    const ended = done.then(
      () => undefined,
      () => undefined,
    );
    this.last.set(key, ended);
    try {
      return await done;
    } finally {
      if (this.last.get(key) === ended) this.last.delete(key);
    }
  }
}
