import { Shares, leaveAll } from './taker';
import type { Gate, Lane, Leave } from './transport';

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
