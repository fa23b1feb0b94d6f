import type { BreakerTimes } from '../../../../src/platform/fair/breaker';
import { Destinations } from '../../../../src/sending/deliver/destinations';
import { DirectTransport } from '../../../../src/sending/deliver/direct';
import { Engine } from '../../../../src/sending/deliver/engine';
import { ExchangeBook } from '../../../../src/sending/exchangers';
import type { Lanes } from '../../../../src/sending/deliver/make-lanes';
import { PUMP_TIMES, PumpRun } from '../../../../src/sending/deliver/pump';
import { SmarthostGate } from '../../../../src/sending/deliver/make-lanes';
import { KeptConnection, Lane } from '../../../../src/sending/deliver/transport';
import { createDns } from '../../../../src/platform/dns';
import { parseSmtpUrl } from '@lettermill/smtp';
import { newId } from '../../../../src/platform/core/ids';
import { WakeWatch } from '../../../../src/platform/wake-ups';
import { aProject } from '../../../support/platform/app';
import { aNameServer } from '../../../support/servers/dns-server';
import { storeEmails } from '../../../support/data/email-rows';
import { eventually } from '../../../support/platform/platform';
import { SmtpFaultServer } from '../../../support/servers/smtp-fault-server';
import { stored } from '../../../support/data/stored';

const LANES = 20;
const SHARD = 3;
const TIMEOUTS = { connect: 30_000, greeting: 30_000, command: 30_000 };
/** What waited for a mute server would arrive after its time-out. */
const BEFORE_IT_IS_GIVEN_UP_MS = 20_000;

const app = aProject({ config: { DEV_PROJECT_DOMAINS: 'dev.test' } });
const from = (projectId: string): string => `team@${projectId.slice(-8)}.dev.test`;
// Development domains come with keys of their own, which take a while to make.
beforeAll(() => Promise.all([app.keys, app.otherKeys].map(({ secret }) => app.api(secret).get('/v1/domains').expect(200))));

const dns = aNameServer();
let servers: SmtpFaultServer[] = [];
let end: (() => Promise<unknown>) | null = null;

afterEach(async () => {
  await end?.();
  end = null;
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
  await stored.emails.remove();
});

/** Exchangers at 127.0.0.1, 127.0.0.2 and so on, each with a domain of its own: one.test, two.test. */
async function exchangers(...domains: readonly string[]): Promise<number> {
  for (const [index, domain] of domains.entries()) {
    const server = new SmtpFaultServer({});
    const address = `127.0.0.${index + 1}`;
    await new Promise<void>((resolve) => server.server.listen(servers[0]?.port ?? 0, address, resolve));
    servers.push(server);
    dns.names.set(`mx.${domain}`, { A: [address] });
    dns.names.set(domain, { MX: [[10, `mx.${domain}`]] });
  }
  return servers[0]?.port ?? 0;
}

const RULES = { retrySeconds: [0.2], acceptedIsDelivered: true };

function direct(port: number, times?: BreakerTimes): Lanes {
  const book = new ExchangeBook(createDns(dns.address), true);
  const gate = new Destinations(book, LANES, app.core.log, times);
  const options = { clientName: 'client.test', mayWrite: () => true, keep: LANES, port, timeouts: TIMEOUTS, destinations: gate };
  const transport = new DirectTransport(book, options);
  return { gate, lanes: Array.from({ length: LANES }, () => new Lane(app.core, transport, { route: 'direct', ...RULES })) };
}

function smarthost(port: number, times?: BreakerTimes): Lanes {
  const gate = new SmarthostGate(LANES, app.core.log, times);
  const route = parseSmtpUrl(`smtp://127.0.0.1:${port}/?tls=off`);
  const connection = () => gate.watched(new KeptConnection({ route, clientName: 'client.test', mayWrite: () => true }));
  return { gate, lanes: Array.from({ length: LANES }, () => new Lane(app.core, connection(), { route: 'smarthost', ...RULES })) };
}

/** Runs the shard's pump until the test ends. */
function pump(lanes: Lanes): void {
  const engine = new Engine(app.core, newId('wrk'), lanes, { holds: () => true, term: 1 });
  const stop = new AbortController();
  const options = { shard: SHARD, now: () => new Date(), elsewhere: () => null, signal: stop.signal, beat: () => undefined };
  const run = new PumpRun(app.core, engine, new WakeWatch(), options, { ...PUMP_TIMES, lingerMs: 3_600_000 }).run();
  end = async () => {
    stop.abort();
    engine.destroy();
    await Promise.all([run, engine.drain()]);
  };
}

const store = (projectId: string, domain: string, count: number) =>
  storeEmails(
    projectId,
    ...Array.from({ length: count }, (_, n) => ({
      to: `user-${n}@${domain}`,
      fromEmail: from(projectId),
      shard: SHARD,
      dueAt: new Date(),
    })),
  );
const attempts = async (domain: string): Promise<number> =>
  (await stored.emails.all({ to: new RegExp(`@${domain}$`) })).reduce((sum, email) => sum + email.attempts, 0);
const delivered = (domain: string): Promise<number> => stored.emails.count({ to: new RegExp(`@${domain}$`), status: 'delivered' });

test('a mute exchanger keeps two lanes and delays its own mail only, in its project and in others', async () => {
  const port = await exchangers('mute.test', 'well.test');
  servers[0]!.script = { greeting: 'hang' };
  await store(app.keys.projectId, 'mute.test', 300);
  pump(direct(port));
  await eventually('the mute one is asked', () => servers[0]!.counts.connections === 2);

  await store(app.otherKeys.projectId, 'well.test', 1);
  await eventually("the other project's message has arrived", () => servers[1]!.messages.length === 1, BEFORE_IT_IS_GIVEN_UP_MS);
  await store(app.keys.projectId, 'well.test', 5);
  await eventually('so have others of the same project', () => servers[1]!.messages.length === 6, BEFORE_IT_IS_GIVEN_UP_MS);
  expect(servers[0]!.counts.connections).toBe(2);
  expect(await attempts('mute.test')).toBe(2);
});

test('an exchanger that is too busy is paused, and what waits for it spends no attempts', async () => {
  const port = await exchangers('busy.test');
  servers[0]!.script = { greeting: { reply: '421 4.3.2 Too busy' } };
  await store(app.keys.projectId, 'busy.test', 60);
  pump(direct(port, { pausesMs: [300], storm: 20, stormMs: 10_000 }));
  const waits = { status: 'queued', error: /exchanger is paused/, attempts: 0 } as const;
  await eventually('the others wait', async () => (await stored.emails.count(waits)) >= 58);
  expect(servers[0]!.counts.connections).toBeLessThanOrEqual(2);
  servers[0]!.script = {};
  await eventually('all have arrived', async () => (await delivered('busy.test')) === 60, 60_000);
  expect(await attempts('busy.test')).toBeLessThan(80);
});

test('an exchanger that takes mail soon has many lanes, and never all of them', async () => {
  const port = await exchangers('slow.test');
  servers[0]!.script = { dot: { delayMs: 30 } };
  await store(app.keys.projectId, 'slow.test', 100);
  pump(direct(port));
  await eventually('all have arrived', async () => (await delivered('slow.test')) === 100, 30_000);
  expect(servers[0]!.counts.connections).toBeGreaterThan(8);
  expect(servers[0]!.counts.connections).toBeLessThanOrEqual(LANES * 0.75);
});

test('a smarthost that says 421 is sent to slowly, without an attempt for each message that waits', async () => {
  const port = await exchangers('smarthost.test');
  servers[0]!.script = ({ connection }) => (connection <= LANES + 3 ? { greeting: { reply: '421 4.7.0 Too many connections' } } : {});
  await store(app.keys.projectId, 'anywhere.test', 80);
  pump(smarthost(port, { pausesMs: [100, 200], storm: 20, stormMs: 10_000 }));
  await eventually('all have arrived', async () => (await delivered('anywhere.test')) === 80, 60_000);
  // The connections that were open at once, and one after each pause.
  expect(await attempts('anywhere.test')).toBe(80 + LANES + 3);
});

/** A smarthost that answers 421 to recipients at one domain and nothing to those at another. */
function hostileDomains(server: SmtpFaultServer | undefined): void {
  server!.script = ({ stage, to }) => {
    if (stage !== 'rcpt') return {};
    if (to?.endsWith('@refused.test')) return { rcpt: { reply: '421 4.7.0 Try again later' } };
    return /@mute(-\d+)?\.test$/.test(to ?? '') ? { rcpt: 'hang' } : {};
  };
}

describe('recipients of a project that a server answers with 421, or not at all', () => {
  const muteDomains = Array.from({ length: 40 }, (_, n) => `mute-${n}.test`);

  async function lanes(way: 'smarthost' | 'direct'): Promise<Lanes> {
    const port = await exchangers('well.test');
    for (const domain of ['refused.test', 'mute.test', ...muteDomains]) dns.names.set(domain, { MX: [[10, 'mx.well.test']] });
    hostileDomains(servers[0]);
    return way === 'direct' ? direct(port) : smarthost(port);
  }

  test.each([
    [
      'direct',
      '40 refused and 5 mute',
      async (projectId: string) => (await store(projectId, 'refused.test', 40), store(projectId, 'mute.test', 5)),
    ],
    ['smarthost', '120 mute at one domain', (projectId: string) => store(projectId, 'mute.test', 120)],
    [
      'smarthost',
      '40 mute at as many domains',
      (projectId: string) => Promise.all(muteDomains.map((domain) => store(projectId, domain, 1))),
    ],
  ] as const)("hold up no other project's mail over %s: %s", async (way, _what, hostile) => {
    const prepared = await lanes(way);
    await store(app.otherKeys.projectId, 'well.test', 1);
    pump(prepared);
    await eventually('the server works', () => servers[0]!.messages.length === 1);
    await hostile(app.keys.projectId);
    await eventually('their lanes are taken', () => servers[0]!.commands.filter((line) => /^RCPT.*(refused|mute)/.test(line)).length >= 2);
    await store(app.otherKeys.projectId, 'well.test', 5);
    await eventually("the other project's mail has arrived", () => servers[0]!.messages.length === 6, BEFORE_IT_IS_GIVEN_UP_MS);
    expect(servers[0]!.counts.connections).toBeLessThanOrEqual(LANES + 20);
  });
});
