import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { withinLimit } from '../../platform/async';
import { perCore } from '../../platform/core';
import { takeApart } from './parse';
import type { ParsedMail } from './parse';
import { UNREADABLE } from './refusal';

/** What is larger is taken apart in a thread of its own: a hostile message of 25 MiB takes seconds. */
const AT_ONCE = 256 * 1024;
const PARSE_MS = 20_000;
const MEMORY_MB = 512;

const RUN = path.resolve(__dirname, '../../run.cjs');
const THREAD = path.join(__dirname, `parser-thread${path.extname(__filename)}`);

/** Takes messages apart for one server: small ones at once, others in a thread that it starts when it needs it. */
class MailParser {
  private thread: Worker | null = null;
  private last: Promise<unknown> = Promise.resolve();

  /** Takes a message apart, and keeps so many bytes of its parts. Throws a refusal for one that is too deep, has too many parts, or takes too long: sending it again would end the same. */
  async parse(bytes: Buffer, keepBytes: number): Promise<ParsedMail> {
    if (bytes.length > AT_ONCE) return this.inThread(bytes, keepBytes);
    return withinLimit(PARSE_MS, () => takeApart(bytes, keepBytes)).catch(() => {
      throw UNREADABLE;
    });
  }

  /** Ends the thread, if there is one. */
  async end(): Promise<void> {
    await this.thread?.terminate();
    this.thread = null;
  }

  /** One message at a time: another one that waits is not to blame for what happens to the thread. */
  private inThread(bytes: Buffer, keepBytes: number): Promise<ParsedMail> {
    const mail = this.last.then(() => this.ask(bytes, keepBytes));
    this.last = mail.catch(() => undefined);
    return mail;
  }

  /** Throws a refusal for what cannot be read, however often it is tried; any other error when the thread failed for reasons of its own. */
  private async ask(bytes: Buffer, keepBytes: number): Promise<ParsedMail> {
    const worker = (this.thread ??= this.startThread());
    const answered = new AbortController();
    try {
      worker.postMessage({ bytes, keepBytes });
      const timeout = wait(PARSE_MS, null, { signal: answered.signal });
      const mail = await Promise.race([answerOf(worker, answered.signal), timeout]);
      if (mail) return mail;
    } catch (error) {
      await this.end();
      if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    } finally {
      answered.abort();
    }
    await this.end();
    throw UNREADABLE;
  }

  private startThread(): Worker {
    const worker = new Worker(RUN, { argv: [THREAD], resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
    // The waiting caller gets the error as well.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.thread === worker) this.thread = null;
    });
    return worker;
  }
}

/** Returns the parser of this process. */
export const mailParser = perCore(() => new MailParser());

async function answerOf(worker: Worker, signal: AbortSignal): Promise<ParsedMail | null> {
  const ended = once(worker, 'exit', { signal }).then(() => {
    throw new Error('The thread that takes messages apart has ended');
  });
  // `once` rejects when the thread emits an error.
  const answer = once(worker, 'message', { signal }).then(([mail]: unknown[]) => mail as ParsedMail | null);
  return Promise.race([answer, ended]);
}
