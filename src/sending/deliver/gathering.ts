const GATHER_MS = 5;

/**
 * Says when results that come one by one are to be recorded: each recording is a few commands to the database, whatever it holds. The first waits for others
 * until as many as are worth it are there, nothing more is on its way, or a moment has passed.
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
