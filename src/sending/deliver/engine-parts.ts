import { Shares, leaveAll } from './taker';
import type { Gate, Lane, Leave } from './transport';
import type { Email } from '../../records/emails';

/** A lane that campaign mail has for a while. */
export interface Loan {
  readonly lane: Lane;
  readonly ended: Leave;
}

interface Borrower {
  readonly projectId: string;
  readonly resolve: (loan: Loan) => void;
}

/** The lanes of a worker that campaign mail has, and who waits for one. */
export class Loans {
  private borrowers: Borrower[] = [];
  private readonly shares: Shares;

  constructor(
    private readonly gate: Gate,
    private readonly lanes: number,
  ) {
    this.shares = new Shares(lanes);
  }

  ask(projectId: string): Promise<Loan> {
    return new Promise((resolve) => this.borrowers.push({ projectId, resolve }));
  }

  /** Lends free lanes to those who wait, as far as the gate lets their projects have them: beyond half of all lanes, only while no `other` mail waits. */
  lend(free: Lane[], other: number): void {
    const waiting: Borrower[] = [];
    for (const borrower of this.borrowers) {
      const { projectId, resolve } = borrower;
      const mayLend = free.length > 0 && (this.shares.total < this.half || other === 0 || this.shares.of(projectId) === 0);
      const leave = mayLend ? this.gate.lend(projectId) : null;
      if (leave === null) waiting.push(borrower);
      else resolve({ lane: free.shift() as Lane, ended: leaveAll(leave, this.shares.take(projectId)) });
    }
    this.borrowers = waiting;
  }

  /** Counts the lanes of `most` that are kept for campaign mail waiting for its half. */
  owed(most: number): number {
    return Math.min(most, this.borrowers.length, Math.max(0, this.half - this.shares.total));
  }

  get half(): number {
    return Math.max(1, Math.floor(this.lanes / 2));
  }
}

/** The attempts of this process that are under way or not recorded yet: no worker takes their messages over. */
export class Attempts {
  /** Number of messages without a recorded outcome, by attempt of the queue. */
  private readonly open = new Map<string, number>();
  private readonly ofCampaigns = new Set<string>();

  active(): readonly string[] {
    return [...this.open.keys(), ...this.ofCampaigns];
  }

  get areActive(): boolean {
    return this.open.size > 0 || this.ofCampaigns.size > 0;
  }

  /** Begins an attempt of the queue. */
  begin(attemptId: string, messages: number): void {
    this.open.set(attemptId, messages);
  }

  /** Notes that a message of the queue is recorded, or is not this worker's. Its attempt ends with its last message. */
  end({ attempt }: Pick<Email, 'attempt'>): void {
    const attemptId = attempt?.id ?? '';
    const left = (this.open.get(attemptId) ?? 1) - 1;
    if (left > 0) this.open.set(attemptId, left);
    else this.open.delete(attemptId);
  }

  /** Runs `work` under an attempt of campaign mail. */
  async during<T>(attemptId: string, work: () => Promise<T>): Promise<T> {
    this.ofCampaigns.add(attemptId);
    try {
      return await work();
    } finally {
      this.ofCampaigns.delete(attemptId);
    }
  }
}

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
