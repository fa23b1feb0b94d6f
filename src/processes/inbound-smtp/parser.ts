import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { withinLimit } from '../../platform/async';
import { takeApart } from './parse';
import type { ParsedMail } from './parse';
import { UNREADABLE } from './refusal';

/** What is larger is taken apart in a thread of its own: a hostile message of 25 MiB takes seconds. */
const AT_ONCE = 256 * 1024;
const PARSE_MS = 20_000;
const MEMORY_MB = 512;

const RUN = path.resolve(__dirname, '../../run.cjs');
const THREAD = path.join(__dirname, `parser-thread${path.extname(__filename)}`);

let thread: Worker | null = null;
let last: Promise<unknown> = Promise.resolve();

/** Takes a message apart, and keeps so many bytes of its parts. Throws a refusal for one that is too deep, has too many parts, or takes too long: sending it again would end the same. */
export async function parseMail(bytes: Buffer, keepBytes: number): Promise<ParsedMail> {
  if (bytes.length > AT_ONCE) return inThread(bytes, keepBytes);
  return withinLimit(PARSE_MS, () => takeApart(bytes, keepBytes)).catch(() => {
    throw UNREADABLE;
  });
}

/** Ends the thread, if there is one. */
export async function endParser(): Promise<void> {
  await thread?.terminate();
  thread = null;
}

/** One message at a time: another one that waits is not to blame for what happens to the thread. */
function inThread(bytes: Buffer, keepBytes: number): Promise<ParsedMail> {
  const mail = last.then(() => ask(bytes, keepBytes));
  last = mail.catch(() => undefined);
  return mail;
}

/** Throws a refusal for what cannot be read, however often it is tried; any other error when the thread failed for reasons of its own. */
async function ask(bytes: Buffer, keepBytes: number): Promise<ParsedMail> {
  const worker = (thread ??= startThread());
  const answered = new AbortController();
  try {
    worker.postMessage({ bytes, keepBytes });
    const timeout = wait(PARSE_MS, null, { signal: answered.signal });
    const mail = await Promise.race([answerOf(worker, answered.signal), timeout]);
    if (mail) return mail;
  } catch (error) {
    await endParser();
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
  } finally {
    answered.abort();
  }
  await endParser();
  throw UNREADABLE;
}

function startThread(): Worker {
  const worker = new Worker(RUN, { argv: [THREAD], resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
  // The waiting caller gets the error as well.
  worker.on('error', () => undefined);
  worker.on('exit', () => {
    if (thread === worker) thread = null;
  });
  return worker;
}

async function answerOf(worker: Worker, signal: AbortSignal): Promise<ParsedMail | null> {
  const ended = once(worker, 'exit', { signal }).then(() => {
    throw new Error('The thread that takes messages apart has ended');
  });
  // `once` rejects when the thread emits an error.
  const answer = once(worker, 'message', { signal }).then(([mail]: unknown[]) => mail as ParsedMail | null);
  return Promise.race([answer, ended]);
}
