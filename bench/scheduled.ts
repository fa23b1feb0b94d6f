import { setTimeout as sleep } from 'node:timers/promises';
import { BenchPlatform } from './support/platform';
import { printTable } from './support/table';

const MESSAGES = 5_000;
const AT_ONCE = 50;
/** Long enough to accept all of them, and for the pumps to fall asleep. */
const AHEAD_MS = 60_000;
const POLL_MS = 10;

/** Accepts single messages for one instant. */
async function accept(platform: BenchPlatform, sendAt: string): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let n = next++; n < MESSAGES; n = next++) {
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

/** How late single messages are that share an instant. */
export async function run(): Promise<void> {
  const platform = await BenchPlatform.start();
  const worker = await platform.worker();
  try {
    const instant = Date.now() + AHEAD_MS;
    await accept(platform, new Date(instant).toISOString());
    const accepted = Date.now();
    if (accepted > instant) throw new Error('Accepting them took longer than the wait');
    while ((await platform.taken()) === 0) await sleep(POLL_MS);
    const first = Date.now() - instant;
    while ((await platform.taken()) < MESSAGES) await sleep(POLL_MS);
    const last = Date.now() - instant;
    printTable(
      'scheduled: single messages for one instant, and how late they are',
      ['messages', 'accepted before the instant, s', 'first, s after', 'last, s after'],
      [[MESSAGES, ((instant - accepted) / 1000).toFixed(0), (first / 1000).toFixed(2), (last / 1000).toFixed(2)]],
    );
  } finally {
    await worker.stop();
    await platform.stop();
  }
}
