interface Terminal {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const START_OF_LINE = '\r\u001b[2K';
/** A line of a log, of whichever process, then replaces this one. */
const BACK = '\r';

/**
 * Shows the progress of the start: one line of a terminal that names what is waited for. Elsewhere it prints nothing: the log is enough.
 */
export class Progress {
  /** The text shown for each thing that is waited for. */
  private readonly waiting = new Map<string, string>();
  private isShown = false;

  constructor(private readonly terminal: Terminal) {}

  /** Names `what` in the line until `work` has ended. */
  async during<T>(what: string, work: Promise<T>): Promise<T> {
    this.waiting.set(what, what);
    this.show();
    try {
      return await work;
    } finally {
      this.waiting.delete(what);
      this.show();
    }
  }

  /** Returns a function that shows the progress of `what`; undefined without a terminal. */
  teller(what: string): ((text: string) => void) | undefined {
    if (this.terminal.isTTY !== true) return undefined;
    return (text) => {
      if (!this.waiting.has(what)) return;
      this.waiting.set(what, text);
      this.show();
    };
  }

  /** Clears the line for other output. */
  clear(): void {
    if (this.isShown) this.terminal.write(START_OF_LINE);
    this.isShown = false;
  }

  private show(): void {
    if (this.terminal.isTTY !== true || this.waiting.size === 0) return;
    const line = `Starting Lettermill: ${[...this.waiting.values()].join('; ')} …`;
    // A line that wraps could not be cleared.
    this.terminal.write(`${START_OF_LINE}${line.slice(0, (this.terminal.columns ?? Infinity) - 1)}${BACK}`);
    this.isShown = true;
  }
}
