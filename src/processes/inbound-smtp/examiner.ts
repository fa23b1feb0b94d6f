import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { perCore } from '../../platform/core';
import { FairQueue } from '../../platform/fair';
import { examine } from './examine';
import type { Examined, Wanted } from './examine';
import { TRY_LATER, UNREADABLE } from './refusal';

/** Larger messages are examined in a thread, and all that bring packed files to be read. */
const AT_ONCE = 32 * 1024;
const THREADS = 2;
const EXAMINE_MS = 20_000;
/** Longer than a turn takes, and short enough that the sender still waits for its answer. */
const WAIT_MS = 30_000;
const MEMORY = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };
/** After a message above this size, its thread is replaced: the memory is freed with it. */
const LARGE = 4 * 1_048_576;

const RUN = path.resolve(__dirname, '../../run.cjs');
const THREAD = path.join(__dirname, `examine-thread${path.extname(__filename)}`);

/** Examines messages for one server: small ones at once, others in two threads that it starts when it needs them, in turns by the network they came from. */
class Examiner {
  private readonly idle = new Set<Worker>();
  private readonly all = new Set<Worker>();
  private readonly turns = new FairQueue({ most: THREADS, away: { patienceMs: WAIT_MS } });

  /**
   * Takes the bytes: they are gone from this thread. Throws a refusal: for good for a message that cannot be read, for now for one that has waited too long
   * for its turn, or took too long because the machine is busy.
   */
  async examine(bytes: Buffer, wanted: Wanted, network: string): Promise<Examined> {
    if (bytes.length <= AT_ONCE && wanted.domainReports !== true) return examineNow(bytes, wanted);
    const finished = await this.turns.take(network);
    if (!finished) throw TRY_LATER;
    try {
      return await this.ask(bytes, wanted);
    } finally {
      finished();
    }
  }

  /** Ends the threads, if there are any. */
  async end(): Promise<void> {
    await Promise.all([...this.all].map((thread) => thread.terminate()));
  }

  private async ask(bytes: Buffer, wanted: Wanted): Promise<Examined> {
    const thread = this.idle.values().next().value ?? this.startThread();
    this.idle.delete(thread);
    const isLarge = bytes.length > LARGE;
    const examined = await answerOf(thread, bytes, wanted);
    if (examined === 'late' || isLarge) await thread.terminate();
    else if (this.all.has(thread)) this.idle.add(thread);
    if (examined === 'late') throw TRY_LATER;
    if (!examined) throw UNREADABLE;
    return examined;
  }

  private startThread(): Worker {
    const thread = new Worker(RUN, { argv: [THREAD], resourceLimits: MEMORY });
    this.all.add(thread);
    // A caller that waits for an answer gets the error as well.
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      this.all.delete(thread);
      this.idle.delete(thread);
    });
    return thread;
  }
}

function examineNow(bytes: Buffer, wanted: Wanted): Examined {
  try {
    return examine(bytes, wanted);
  } catch {
    throw UNREADABLE;
  }
}

/** Returns the examiner of this process. */
export const examinerOf = perCore(() => new Examiner());

/** Resolves to null for a message that needs more memory than there is; rejects when the thread failed for other reasons. */
async function answerOf(thread: Worker, bytes: Buffer, wanted: Wanted): Promise<Examined | null | 'late'> {
  const answered = new AbortController();
  const { signal } = answered;
  try {
    thread.postMessage({ bytes, wanted }, [bytes.buffer as ArrayBuffer]);
    const ended = once(thread, 'exit', { signal }).then(() => {
      throw new Error('The message examination thread exited');
    });
    // `once` rejects when the thread emits an error.
    const answer = once(thread, 'message', { signal }).then(([examined]: unknown[]) => examined as Examined | null);
    return await Promise.race([answer, ended, wait(EXAMINE_MS, 'late' as const, { signal })]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') return null;
    await thread.terminate();
    throw error;
  } finally {
    answered.abort();
  }
}
