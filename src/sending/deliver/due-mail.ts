import { PROJECT_TURN, findDue, findDueBehind } from '../../records/emails';
import type { Email } from '../../records/emails';

/** How long a message of another project, or one with priority, waits at most for a pump that is busy with one project. */
const LOOK_AGAIN_MS = 100;

interface DuePage {
  readonly due: readonly Email[];
  /** Where the following page begins; empty when there is none. */
  readonly next: string;
}

/**
 * Finds what is due in a shard. While one project alone keeps the pump busy, it continues after the last message that it found: earlier ones have been
 * claimed, but the database keeps their places in the index for readers of older snapshots, and would pass over each of them again.
 */
export class DueMail {
  private last: Email | null = null;
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly shard: number) {}

  /** Finds the page that begins at `after`, without messages that are `known`. */
  async page(now: Date, after: string, known: readonly string[]): Promise<DuePage> {
    if (after === '' && this.last && performance.now() - this.lookedAt < LOOK_AGAIN_MS) {
      const due = await findDueBehind(this.last, now);
      this.last = lastOfTurn(due);
      if (due.length > 0) return { due, next: '' };
    }
    const page = await findDue(this.shard, now, after, known);
    this.lookedAt = performance.now();
    this.last = after === '' && page.next === '' ? lastOfTurn(page.due) : null;
    return page;
  }
}

/** Returns the last message of a full page of one project; null otherwise, as then there is no more. */
function lastOfTurn(due: readonly Email[]): Email | null {
  const last = due.at(-1);
  return last && due.length === PROJECT_TURN && due[0]?.projectId === last.projectId ? last : null;
}
