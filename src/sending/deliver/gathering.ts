const GATHER_MS = 5;

/**
 * Decides when results that come one by one are recorded: a recording is a few commands to the database, for any number of results. The
 * first result waits until enough others exist, nothing more is being sent, or a moment has passed.
 */
export class Gathering {
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(
    private readonly worthIt: number,
    private readonly look: () => void,
  ) {}

  isDone(finished: number, onTheWire: number): boolean {
    if (finished === 0) return false;
    if (this.isOver || finished >= this.worthIt || onTheWire === 0) return this.end();
    this.timer ??= setTimeout(() => {
      this.isOver = true;
      this.look();
    }, GATHER_MS);
    return false;
  }

  private end(): true {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isOver = false;
    return true;
  }
}
