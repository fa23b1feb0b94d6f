import { setTimeout as sleep } from 'node:timers/promises';
import { optionsOf, wholeNumber } from './support/options';
import { BenchPlatform } from './support/platform';
import { busySeconds, cpuSeconds } from './support/processes';
import type { Measured } from './support/processes';
import { signing } from './support/signing';
import { printTable } from './support/table';

const MESSAGES = 5_000;
const MOST_MESSAGES = 1_000_000;
const AT_ONCE = 50;
/** Long enough to accept all messages, and for the pumps to fall asleep. */
const AHEAD_MS = 60_000;
const POLL_MS = 10;

/** Accepts single messages for one instant. */
async function accept(platform: BenchPlatform, messages: number, sendAt: string): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let n = next++; n < messages; n = next++) {
      await platform.call('POST', '/v1/send', {
        to: `user-${n}@example.com`,
        from: 'hello@hello.test',
        subject: 'Hello',
        html: '<p>Hello</p>',
        sendAt,
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Reads the processor seconds so far, by part and of the machine. */
function use({ api, ground, mailServer }: BenchPlatform, worker: Measured) {
  const parts = [worker.pid, ground.mongod.pid, ground.temporal.pid, api.pid, mailServer.pid ?? process.pid, process.pid].map(cpuSeconds);
  return { parts, busy: busySeconds() };
}

/** Measures how late single messages are that share an instant. */
export async function run(args: readonly string[]): Promise<void> {
  const { size, dkim = false } = optionsOf(args, { size: { type: 'string' }, dkim: { type: 'boolean' } });
  const messages = wholeNumber('--size', size, MESSAGES, MOST_MESSAGES);
  const platform = await BenchPlatform.start();
  const worker = await platform.worker(signing(dkim));
  try {
    const instant = Date.now() + AHEAD_MS;
    await accept(platform, messages, new Date(instant).toISOString());
    const accepted = Date.now();
    if (accepted > instant) throw new Error('Accepting them took longer than the wait');
    await sleep(instant - Date.now());
    const before = use(platform, worker);
    while ((await platform.taken()) === 0) await sleep(POLL_MS);
    const first = Date.now() - instant;
    while ((await platform.taken()) < messages) await sleep(POLL_MS);
    const last = Date.now() - instant;
    const after = use(platform, worker);
    const used = after.parts.map((seconds, part) => seconds - (before.parts[part] ?? 0));
    const [ofWorker = 0, ofMongod = 0] = used.map((seconds) => (seconds * 1e6) / messages);
    const others = after.busy - before.busy - used.reduce((sum, seconds) => sum + seconds, 0);
    printTable(
      `scheduled: single messages for one instant, ${dkim ? '2,048-bit RSA DKIM' : 'no RSA'}, and how late they are`,
      ['messages', 'accepted before it, s', 'first, s after', 'last, s after', 'worker us/msg', 'mongod', 'cores of others'],
      [
        [
          messages,
          ((instant - accepted) / 1000).toFixed(0),
          (first / 1000).toFixed(2),
          (last / 1000).toFixed(2),
          ofWorker.toFixed(0),
          ofMongod.toFixed(0),
          ((others * 1000) / last).toFixed(2),
        ],
      ],
    );
  } finally {
    await worker.stop();
    await platform.stop();
  }
}
