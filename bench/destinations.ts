import { setTimeout as sleep } from 'node:timers/promises';
import type net from 'node:net';
import { createProject } from '../src/records/projects';
import { DnsServer } from '../test/support/servers/dns-server';
import { SmtpFaultServer } from '../test/support/servers/smtp-fault-server';
import { BenchPlatform } from './support/platform';
import { median, printTable } from './support/table';

const MUTE_MESSAGES = 300;
const MESSAGES = 30;
const EVERY_MS = 400;
const POLL_MS = 1;
/** The port of mail exchangers. */
const PORT = 25;
const [MUTE, WELL] = ['127.0.0.2', '127.0.0.3'];

async function listen(server: net.Server, address: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', () => reject(new Error(`This benchmark has to be allowed to listen on ${address}:${PORT}`)));
    server.listen(PORT, address, resolve);
  });
}

/** Starts two domains, each with an exchanger of its own, one of which accepts connections and never answers. */
async function exchangers(): Promise<{ readonly dns: DnsServer; readonly well: SmtpFaultServer; readonly stop: () => Promise<unknown> }> {
  const dns = await DnsServer.start();
  const [mute, well] = [new SmtpFaultServer({ script: { greeting: 'hang' } }), new SmtpFaultServer({})];
  await listen(mute.server, MUTE);
  await listen(well.server, WELL);
  for (const [domain, address] of [
    ['mute.test', MUTE],
    ['well.test', WELL],
  ] as const) {
    dns.names.set(domain, { MX: [[10, `mx.${domain}`]] });
    dns.names.set(`mx.${domain}`, { A: [address] });
  }
  return { dns, well, stop: () => Promise.all([mute.close(), well.close(), dns.stop()]) };
}

/** Creates a message from the project's default domain. */
const messageTo = (to: string) => ({ to, subject: 'Hello', html: '<p>Hello</p>' });

/** Measures, over `direct:`, how long another project's single messages take to a healthy exchanger, before and while hundreds wait for a silent one. */
export async function run(): Promise<void> {
  const { dns, well, stop } = await exchangers();
  const env = { SMTP_URL: 'direct:', DNS_SERVERS: dns.address, WEBHOOK_ALLOW_PRIVATE: 'true', DEV_PROJECT_DOMAINS: 'dev.test' };
  const platform = await BenchPlatform.start(env);
  const worker = await platform.worker();
  const other = await createProject('Another');
  let sent = 0;
  const one = async (): Promise<number> => {
    const to = `user-${sent++}@well.test`;
    await platform.call('POST', '/v1/send', messageTo(to), other.secret);
    const began = performance.now();
    while (!well.messages.some((message) => message.to === to)) await sleep(POLL_MS);
    return performance.now() - began;
  };
  const some = async (): Promise<readonly number[]> => {
    const times: number[] = [];
    for (let n = 0; n < MESSAGES; n++) {
      await sleep(EVERY_MS);
      times.push(await one());
    }
    return times;
  };
  try {
    await one();
    const alone = await some();
    const messages = Array.from({ length: MUTE_MESSAGES }, (_, n) => messageTo(`user-${n}@mute.test`));
    await platform.call('POST', '/v1/send/batch', { messages });
    const beside = await some();
    const row = (what: string, times: readonly number[]) => [what, times.length, median(times).toFixed(0), Math.max(...times).toFixed(0)];
    printTable(
      "destinations: milliseconds from the answer of the API to the healthy exchanger, one project's message at a time",
      ['while', 'messages', 'median', 'max'],
      [row('nothing else waits', alone), row(`${MUTE_MESSAGES} of another project wait for a mute exchanger`, beside)],
    );
  } finally {
    await worker.stop();
    await platform.stop();
    await stop();
  }
}
