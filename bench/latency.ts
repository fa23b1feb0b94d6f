import { setTimeout as sleep } from 'node:timers/promises';
import { startSmtpServer } from '../test/support/servers/smtp-fault-server';
import { freePort } from '../test/support/run/servers';
import { Ground, Measured } from './support/processes';
import { median, printTable } from './support/table';

const MESSAGES = 30;
const COLD_MESSAGES = 4;
const POLL_MS = 1;

/** Measures milliseconds from the API's answer to the mail server's end of data, one message at a time on an idle system. */
async function measure(url: string, key: string, arrived: (to: string) => boolean, name: string): Promise<number> {
  const to = `${name}@example.com`;
  const response = await fetch(`${url}/v1/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to, from: 'hello@hello.test', subject: 'Hello', html: '<p>Hello</p>' }),
  });
  if (response.status !== 200) throw new Error(await response.text());
  const began = performance.now();
  while (!arrived(to)) await sleep(POLL_MS);
  return performance.now() - began;
}

/** Measures how long a single message takes on an idle system: with the pump lingering after the last one, and with it asleep. */
export async function run(): Promise<void> {
  const [port, smtp] = await Promise.all([freePort(), startSmtpServer()]);
  const ground = await Ground.prepare({
    NODE_ENV: 'development',
    LOG_LEVEL: 'info',
    PORT: String(port),
    DEV_VERIFIED_DOMAINS: 'hello.test',
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
  });
  const api = await Measured.start('api/main.ts', [], ground.env, `http://127.0.0.1:${port}/v1/health`);
  const worker = await Measured.start('worker/main.ts', [], ground.env, 'Worker is ready');
  const arrived = (to: string): boolean => smtp.messages.some((message) => message.to === to);
  const one = (name: string): Promise<number> => measure(`http://127.0.0.1:${port}`, ground.keys.secret, arrived, name);
  try {
    await one('warm-up');
    const awake: number[] = [];
    for (let n = 0; n < MESSAGES; n++) {
      await sleep(400);
      awake.push(await one(`awake-${n}`));
    }
    const asleep: number[] = [];
    for (let n = 0; n < COLD_MESSAGES; n++) {
      await sleep(12_000);
      asleep.push(await one(`asleep-${n}`));
    }
    const row = (what: string, values: readonly number[]) => [
      what,
      values.length,
      median(values).toFixed(0),
      Math.max(...values).toFixed(0),
    ];
    printTable(
      'latency: milliseconds from the answer of the API to the mail server, one message at a time',
      ['what', 'messages', 'median', 'max'],
      [row('pump awake (a message 0.4 s before)', awake), row('pump asleep (nothing for 12 s)', asleep)],
    );
  } finally {
    await Promise.all([api.stop(), worker.stop()]);
    await ground.clear();
    await smtp.close();
  }
}
