/** The runs of a process, which end together when it stops. */
export class Runs {
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<unknown>>();

  /** Begins a run, which is asked to end when `signal` aborts or the process stops. */
  async follow<T>(signal: AbortSignal, begin: (ending: AbortSignal) => Promise<T>): Promise<T> {
    const run = begin(AbortSignal.any([signal, this.stopping.signal]));
    this.running.add(run);
    try {
      return await run;
    } finally {
      this.running.delete(run);
    }
  }

  /** Aborts all runs; resolves when they have ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.running);
  }
}
