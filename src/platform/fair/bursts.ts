import { SoleKey } from './fair-queue';

interface BurstsOptions {
  /** Delay of the next works of a key after each that began, */
  readonly eachMs: number;
  /** but no longer than this after all of them, */
  readonly mostMs: number;
  /** and until those are over, but no longer than this. */
  readonly patienceMs: number;
  /**
   * Nothing waits while several keys are active, and for this many milliseconds afterwards: works that begin together keep others waiting
   * for long.
   */
  readonly aloneMs: number;
}

/** Limits for the events and executions of a project that arrive in a crowd; measured (docs/decisions/0067-crowds-take-turns.md). */
export const CROWD: BurstsOptions = { eachMs: 25, mostMs: 100, patienceMs: 0, aloneMs: 5_000 };

/** The works of a key that began together, and those that wait behind them. */
interface Line {
  readonly waiting: ((over: () => void) => void)[];
  underWay: number;
  /** The shortest wait behind it is over. */
  isRested: boolean;
  patience: NodeJS.Timeout | undefined;
}

const NOT_COUNTED = (): void => undefined;

/**
 * Lets works that arrive in quick succession begin together, so that they stay together and share reads and transactions (`batched`,
 * `together`). A single work begins at once.
 */
export class Bursts {
  private readonly lines = new Map<string, Line>();
  private readonly sole: SoleKey;

  constructor(private readonly options: BurstsOptions) {
    this.sole = new SoleKey(options.aloneMs);
  }

  /** Resolves when work of the key may begin, to what is called once when that is over. */
  begin(key: string): Promise<() => void> {
    this.sole.note(key);
    const line = this.lines.get(key);
    if (line && this.sole.isAlone()) return new Promise((resolve) => line.waiting.push(resolve));
    return Promise.resolve(line ? NOT_COUNTED : this.rest(key, 1));
  }

  private rest(key: string, begun: number): () => void {
    const { eachMs, mostMs, patienceMs } = this.options;
    const line: Line = { waiting: [], underWay: begun, isRested: false, patience: undefined };
    this.lines.set(key, line);
    setTimeout(
      () => {
        line.isRested = true;
        if (line.underWay === 0 || patienceMs === 0) this.release(key, line);
        else line.patience = setTimeout(() => this.release(key, line), patienceMs);
      },
      Math.min(mostMs, begun * eachMs),
    );
    return () => {
      if (--line.underWay === 0 && line.isRested && this.lines.get(key) === line) this.release(key, line);
    };
  }

  private release(key: string, { waiting, patience }: Line): void {
    clearTimeout(patience);
    if (waiting.length === 0) {
      this.lines.delete(key);
      return;
    }
    const over = this.rest(key, waiting.length);
    for (const resolve of waiting) resolve(over);
  }
}
