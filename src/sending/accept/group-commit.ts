import { perCore } from '../../platform/core';
import { withinLimit } from '../../platform/async';
import { commitGroup } from './commit';
import type { Accepted, Outcome, Pending } from './commit';

/** Messages in one transaction at most: it must stay short, and below the size of one oplog entry. */
const GROUP_MESSAGES = 2_000;
/** Characters of content and values in one transaction at most, unless it holds a single request: the database aborts a transaction of some hundred MiB. */
const GROUP_CHARACTERS = 32 * 1_048_576;

/** A group without an answer for so long fails, and the next one starts. */
const COMMIT_MS = 20_000;

interface Waiting {
  readonly pending: Pending;
  readonly resolve: (accepted: Accepted) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Requests of one project that arrive while a transaction of that project runs commit together in the next one: a transaction per request on
 * the project's counters would conflict with every other.
 */
class ProjectQueue {
  private readonly waiting: Waiting[] = [];
  private running = false;

  constructor(private readonly idle: () => void) {}

  push(pending: Pending): Promise<Accepted> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ pending, resolve, reject });
      if (!this.running) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.running = true;
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) await this.flush(this.nextGroup());
    this.running = false;
    this.idle();
  }

  private nextGroup(): readonly Waiting[] {
    let messages = 0;
    let characters = 0;
    const count = this.waiting.findIndex(({ pending }, index) => {
      messages += pending.units;
      characters += charactersOf(pending);
      return index > 0 && (messages > GROUP_MESSAGES || characters > GROUP_CHARACTERS);
    });
    return this.waiting.splice(0, count === -1 ? this.waiting.length : count);
  }

  private async flush(group: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await withinLimit(COMMIT_MS, () => commitGroup(group.map(({ pending }) => pending)));
      group.forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index] as Outcome;
        if ('refused' in outcome) reject(outcome.refused);
        else resolve(outcome.accepted);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}

/** The queues of projects that have requests under way. */
const queuesOf = perCore(() => new Map<string, ProjectQueue>());

function charactersOf({ prepared }: Pending): number {
  let sum = 0;
  for (const message of prepared) {
    if ('failed' in message) continue;
    const {
      recipients,
      contentId,
      draft: { source },
    } = message.ok;
    for (const { values } of recipients) sum += values.length;
    if (contentId === null) sum += ((source.html?.length ?? 0) + (source.text?.length ?? 0)) * recipients.length;
  }
  return sum;
}

/** Resolves when the request is committed; rejects with the request's refusal, or with the failure of its group. */
export function commit(pending: Pending): Promise<Accepted> {
  const { core, projectId } = pending.ctx;
  const queues = queuesOf(core);
  let queue = queues.get(projectId);
  if (!queue) queues.set(projectId, (queue = new ProjectQueue(() => queues.delete(projectId))));
  return queue.push(pending);
}
