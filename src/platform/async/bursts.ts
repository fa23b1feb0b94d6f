import { SoleKey } from './sole-key';

interface BurstsOptions {
  /** After each that began the next ones of its key wait for so long, */
  readonly eachMs: number;
  /** but no longer than this after all of them. */
  readonly mostMs: number;
  /** Nothing waits while several keys come, and for so long afterwards: what begins together is a long time for others to wait for. */
  readonly aloneMs: number;
}

/** What a project's events and executions do where they come in a crowd: measured (docs/decisions/0067-crowds-take-turns.md). */
export const CROWD: BurstsOptions = { eachMs: 25, mostMs: 100, aloneMs: 5_000 };

/**
 * Lets work that comes quickly one after another begin together, so that it goes on in step and shares reads and transactions (`batched`, `together`). What
 * comes alone begins at once.
 */
export class Bursts {
  private readonly lines = new Map<string, (() => void)[]>();
  private readonly sole: SoleKey;

  constructor(private readonly options: BurstsOptions) {
    this.sole = new SoleKey(options.aloneMs);
  }

  /** Resolves when work of the key may begin. */
  begin(key: string): Promise<void> {
    this.sole.note(key);
    const line = this.lines.get(key);
    if (line && this.sole.isAlone()) return new Promise((resolve) => line.push(resolve));
    if (!line) this.rest(key, 1);
    return Promise.resolve();
  }

  private rest(key: string, begun: number): void {
    const { eachMs, mostMs } = this.options;
    this.lines.set(key, []);
    setTimeout(() => this.release(key), Math.min(mostMs, begun * eachMs));
  }

  private release(key: string): void {
    const waiting = this.lines.get(key) ?? [];
    if (waiting.length === 0) {
      this.lines.delete(key);
      return;
    }
    this.rest(key, waiting.length);
    for (const resolve of waiting) resolve();
  }
}
