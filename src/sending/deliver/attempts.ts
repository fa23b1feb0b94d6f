import type { Email } from '../../records/emails';

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
