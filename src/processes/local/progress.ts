interface Terminal {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

const START_OF_LINE = '\r\u001b[2K';
/** A line of a log, of whichever process, then takes the place of this one. */
const BACK = '\r';

/** What a person sees while the platform starts: one line of a terminal that says what is waited for. Elsewhere nothing: the log is enough there. */
export class Progress {
  private readonly waiting = new Set<string>();
  private isShown = false;

  constructor(private readonly terminal: Terminal) {}

  /** Names `what` in the line until `work` has ended. */
  async during<T>(what: string, work: Promise<T>): Promise<T> {
    this.waiting.add(what);
    this.show();
    try {
      return await work;
    } finally {
      this.waiting.delete(what);
      this.show();
    }
  }

  /** Clears the line for what is to be read in its place. */
  clear(): void {
    if (this.isShown) this.terminal.write(START_OF_LINE);
    this.isShown = false;
  }

  private show(): void {
    if (this.terminal.isTTY !== true || this.waiting.size === 0) return;
    this.terminal.write(`${START_OF_LINE}Starting Lettermill: ${[...this.waiting].join(', ')} …${BACK}`);
    this.isShown = true;
  }
}
