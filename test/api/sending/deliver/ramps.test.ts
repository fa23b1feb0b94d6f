import { DELIVERY_SHARDS } from '../../../../src/contracts/delivery';
import { rampDayAt } from '../../../../src/rules/ramps';
import { LEASE_TIMES } from '../../../../src/sending/deliver/lease';
import { PUMP_TIMES } from '../../../../src/sending/deliver/pump';
import { Ramps } from '../../../../src/sending/deliver/ramps';
import { listRamps, moveRamp, runningRamps, startForgottenRamps } from '../../../../src/sending/ramps';
import { aProject } from '../../../support/platform/app';
import { campaignCalls } from '../../../support/calls/campaigns';
import { campaignPages } from '../../../support/calls/campaign-pages';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { eventually } from '../../../support/platform/platform';
import { aNameServer } from '../../../support/servers/dns-server';
import { aMailServer } from '../../../support/servers/smtp-fault-server';
import type { SmtpFaultServer } from '../../../support/servers/smtp-fault-server';
import { stored } from '../../../support/data/stored';

const [main, waits, other, each] = [aMailServer(), aMailServer(), aMailServer(), aMailServer()];
const dns = aNameServer();
const at = (server: SmtpFaultServer): string => `smtp://127.0.0.1:${server.port}/?tls=off`;
const RAMPS = [
  { transport: 'waits', perDay: [5, 8], perProvider: false, timezone: 'UTC', overflow: 'wait' },
  { transport: 'other', perDay: [5], perProvider: false, timezone: 'UTC', overflow: 'other' },
  { transport: 'each', perDay: [2], perProvider: true, timezone: 'UTC', overflow: 'wait' },
] as const;
const to = (tag: string, transport: string, ...fallback: string[]) => ({
  tag: `goes:${tag}`,
  use: [{ transport, weight: 1 }],
  fallback,
});
const app = aProject(() => ({
  config: {
    DEV_VERIFIED_DOMAINS: 'hello.test',
    DNS_SERVERS: dns.address,
    SMTP_URL: at(main),
    SMTP_CONNECTIONS: '4',
    SMTP_RETRY_SECONDS: '600,600',
    LEDGER_CHUNK: '20',
    TRANSPORTS: JSON.stringify({
      transports: [
        { name: 'waits', url: at(waits) },
        { name: 'other', url: at(other) },
        { name: 'each', url: at(each) },
      ],
      routes: [
        to('waits', 'waits', 'default'),
        to('other', 'other', 'default'),
        to('each', 'each'),
        { type: 'marketing', use: [{ transport: 'waits', weight: 1 }], fallback: ['default'] },
      ],
      ramps: RAMPS,
    }),
  },
}));
const TIMES = { lease: LEASE_TIMES, pump: { ...PUMP_TIMES, lingerMs: 100 } };
const [host, second] = [aDeliveryHost(app, TIMES), aDeliveryHost(app, TIMES)];
const { running } = campaignCalls(() => app);
const { page } = campaignPages(
  () => app,
  () => host,
);

beforeAll(() => {
  dns.names.set('workspace.test', { MX: [[10, 'aspmx.l.google.com']] });
  dns.names.set('other.test', { MX: [[10, 'mx.other.test']] });
});
afterEach(async () => {
  for (const server of [main, waits, other, each]) {
    server.script = {};
    server.messages.length = 0;
  }
  await Promise.all([stored.emails.remove(), stored.contacts.remove(), stored.ramps.remove(), stored.rampDays.remove()]);
});

async function send(address: string, tag: string): Promise<string> {
  const message = { to: address, from: 'a@hello.test', subject: 'Hello', text: 'Hello', tags: [{ name: 'goes', value: tag }] };
  const { body } = await app.api().post('/v1/send').send(message).expect(200);
  return body.data.results[0].id as string;
}
const sendMany = (count: number, tag: string, domain = 'other.test'): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => send(`p${n}@${domain}`, tag)));

/** Runs the pumps of all shards on both workers, half each, until nothing is due. */
const pumps = (): Promise<unknown> =>
  Promise.all(
    Array.from({ length: DELIVERY_SHARDS }, (_, shard) =>
      (shard % 2 === 0 ? host : second).pump({
        shard,
        startedAt: Date.now(),
        stay: true,
        signal: new AbortController().signal,
        beat: () => undefined,
      }),
    ),
  );
/** Resolves when nothing is due any more. */
const untilQuiet = (): Promise<unknown> =>
  eventually('nothing is due', async () => {
    await pumps();
    const emails = await stored.emails.all({});
    return emails.every(
      ({ status, dueAt }) => status !== 'sending' && !(status === 'queued' && dueAt && dueAt.getTime() <= Date.now() + 60_000),
    );
  });
const used = async (transport: string): Promise<number> =>
  (await stored.rampDays.all({ transport })).reduce((sum, day) => sum + day.used, 0);
const ofToday = { day: rampDayAt(Date.now(), () => 0), step: 0, amount: 5, perProvider: false, heldBack: null };
const midnight = (): number => (Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000;

test('two workers send no more than the amount of the day; the rest waits for the next day, without an attempt', async () => {
  const ids = await sendMany(17, 'waits');
  await untilQuiet();
  expect(waits.messages).toHaveLength(5);
  expect(main.messages).toHaveLength(0);
  expect(await used('waits')).toBe(5);
  const emails = await Promise.all(ids.map((id) => stored.emails.get(id)));
  const waiting = emails.filter(({ status }) => status === 'queued');
  expect(waiting).toHaveLength(12);
  const times = waiting.map(({ dueAt }) => dueAt?.getTime() ?? 0);
  for (const { attempts, error } of waiting) expect({ attempts, error }).toEqual({ attempts: 0, error: expect.stringContaining('ramp') });
  expect(Math.min(...times)).toBeGreaterThanOrEqual(midnight());
  expect(Math.max(...times)).toBeLessThan(midnight() + 3_700_000);
  expect(new Set(times.map((time) => Math.floor(time / 60_000))).size).toBeGreaterThan(3);
  const { body } = await app.api().get('/v1/deliverability/transports').expect(200);
  expect(body.data.transports).toContainEqual({
    name: 'waits',
    kind: 'smarthost',
    sent: 5,
    delivered: 5,
    deferred: 0,
    bounced: 0,
    waiting: 12,
    ramp: {
      step: 1,
      steps: 2,
      amount: 5,
      used: [{ provider: null, used: 5 }],
      overflow: 'wait',
      heldBack: null,
      nextDayAt: new Date(midnight()).toISOString(),
    },
  });
});

test('what a day has no room for goes over the next transport of the route', async () => {
  await sendMany(17, 'other');
  await untilQuiet();
  expect([other.messages.length, main.messages.length]).toEqual([5, 12]);
  expect(await used('other')).toBe(5);
});

test('each provider has the amount for itself', async () => {
  await sendMany(4, 'each', 'workspace.test');
  await sendMany(4, 'each', 'other.test');
  await untilQuiet();
  const domains = each.messages.map(({ to: address }) => address.split('@')[1]);
  expect(domains.sort()).toEqual(['other.test', 'other.test', 'workspace.test', 'workspace.test']);
});

test('a message that fails before its end is not counted, and goes over another transport', async () => {
  waits.script = { rcpt: { reply: '450 4.2.0 Later' } };
  await send('a@other.test', 'waits');
  await eventually('it was tried', async () => {
    await pumps();
    return (await stored.emails.all({ attempts: 1, status: 'queued' })).length === 1;
  });
  waits.script = { data: 'reset' };
  await send('b@other.test', 'waits');
  await eventually('it went over the other one', async () => {
    await pumps();
    return main.messages.length === 1;
  });
  await eventually('what no message took is given back', async () => (await used('waits')) === 0);
  expect(await stored.rampDays.all({})).toEqual([expect.objectContaining({ transport: 'waits', used: 0, refused: 0 })]);
});

test('mail of a campaign takes the room that there is; what is left waits for the next day', async () => {
  const campaignId = await running(12);
  while (!(await page(campaignId)).done);
  expect(waits.messages).toHaveLength(5);
  const left = await stored.emails.all({ campaignId, status: 'queued' });
  expect(left.map(({ attempts }) => attempts)).toEqual(Array.from({ length: 7 }, () => 1));
  await Promise.all(left.map(({ _id }) => stored.emails.change(_id, { dueAt: new Date() })));
  await untilQuiet();
  expect([waits.messages.length, main.messages.length]).toEqual([5, 0]);
  const later = await stored.emails.all({ campaignId, status: 'queued' });
  expect(later).toHaveLength(7);
  for (const { attempts, dueAt } of later) expect([attempts, Number(dueAt) >= midnight()]).toEqual([1, true]);
});

test('a message that goes nowhere needs no room', async () => {
  await stored.ramps.make({ _id: 'waits', ...ofToday });
  const message = { from: 'a@hello.test', subject: 'Hello', text: 'Hello' };
  const { PLATFORM_DOMAIN } = app.core.config;
  const tags = [{ name: 'goes', value: 'waits' }];
  await app
    .api()
    .post('/v1/send')
    .send({ ...message, to: `delivered@simulator.${PLATFORM_DOMAIN}`, tags })
    .expect(200);
  await untilQuiet();
  expect(await stored.emails.all({ status: 'delivered' })).toHaveLength(1);
  expect(await stored.rampDays.all({})).toEqual([]);
});

/** A worker's ramps at an instant, as after a restart. */
const rampsAt = (now: () => number): Ramps => new Ramps(app.core, RAMPS, () => undefined, now);
const claims = async (ramps: Ramps, count: number, from = 0): Promise<number> => {
  const all = await Promise.all(Array.from({ length: count }, (_, n) => ramps.claim('waits', null, `em_${from + n}`)));
  return all.filter(Boolean).length;
};

test('a restart in the middle of a day neither resets nor doubles what was counted, and the next day begins at nothing', async () => {
  const noon = midnight() - 43_200_000;
  const first = rampsAt(() => noon);
  expect(await claims(first, 3)).toBe(3);
  await first.close();
  expect(await used('waits')).toBe(3);
  let now = noon + 60_000;
  const again = rampsAt(() => now);
  expect(await claims(again, 4, 10)).toBe(2);
  expect(await used('waits')).toBe(5);
  now = midnight() + 1;
  // The day was not moved on to yet: it has the amount of the day before.
  expect(await claims(again, 9, 20)).toBe(5);
  await moveRamp(app.core, { transport: 'waits', now: noon });
  await moveRamp(app.core, { transport: 'waits', now });
  now += 2_000;
  expect(await claims(again, 9, 30)).toBe(3);
});

test('workers that reserve at the same time have no more than the amount together', async () => {
  const workers = Array.from({ length: 8 }, () => rampsAt(Date.now));
  const all = await Promise.all(workers.map((ramps, at) => claims(ramps, 4, at * 10)));
  expect(all.reduce((sum, one) => sum + one, 0)).toBe(5);
});

test('a day is moved on to once, and not climbed after refusals for policy', async () => {
  const refusal = { accepted: false, phase: 'final_dot', cause: 'reply', inDoubt: false, message: '' } as const;
  const reply = { code: 550, enhanced: '5.7.26', text: '5.7.26 Unauthenticated email' };
  const today = Date.now();
  const [tomorrow, after] = [midnight() + 1, midnight() + 86_400_001];
  expect(await moveRamp(app.core, { transport: 'waits', now: today })).toMatchObject({ step: 1, amount: 5, heldBack: null });
  const ramps = rampsAt(() => today);
  await claims(ramps, 1);
  ramps.settle('em_0', { ...refusal, reply });
  await eventually('it is counted', async () => (await stored.rampDays.all({ refused: 1, used: 1, early: 0 })).length === 1);
  await claims(ramps, 1, 1);
  ramps.settle('em_1', { ...refusal, phase: 'rcpt', reply });
  await eventually('it is counted', async () => (await stored.rampDays.all({ refused: 2, used: 1, early: 1 })).length === 1);
  const [day] = await stored.rampDays.all({});
  await stored.rampDays.change(String(day?._id), { used: 39 });
  expect(await moveRamp(app.core, { transport: 'waits', now: tomorrow })).toMatchObject({ step: 1, amount: 5, heldBack: 'refused' });
  expect(await moveRamp(app.core, { transport: 'waits', now: tomorrow })).toMatchObject({ step: 1 });
  await claims(
    rampsAt(() => tomorrow),
    1,
  );
  expect(await moveRamp(app.core, { transport: 'waits', now: after })).toMatchObject({ step: 2, amount: 8, heldBack: null });
  const last = after + 86_400_000;
  expect(await moveRamp(app.core, { transport: 'waits', now: last })).toMatchObject({ step: 2, amount: 8, heldBack: 'unused' });
  await claims(
    rampsAt(() => last),
    1,
  );
  expect(await moveRamp(app.core, { transport: 'waits', now: last + 86_400_000 })).toMatchObject({ nextAt: null });
  expect(
    await claims(
      rampsAt(() => last + 86_400_000),
      30,
    ),
  ).toBe(30);
});

test('operators see each ramp, and the sweep starts the process of one whose day is past', async () => {
  await stored.ramps.make({ _id: 'each', ...ofToday, amount: 2, perProvider: true });
  await stored.ramps.make({ _id: 'waits', ...ofToday, heldBack: 'refused' });
  await sendMany(3, 'each', 'workspace.test');
  await untilQuiet();
  expect(await listRamps()).toEqual([
    { transport: 'each', day: ofToday.day, step: 1, provider: 'google', used: 2, amount: 2, refused: 0, heldBack: null },
    { transport: 'waits', day: ofToday.day, step: 1, provider: null, used: 0, amount: 5, refused: 0, heldBack: 'refused' },
  ]);
  await stored.ramps.make({ _id: 'removed', ...ofToday, day: '2026-01-01', heldBack: 'refused' });
  expect(await runningRamps(5_000)).toEqual(
    new Map([
      ['each', { remaining: 0, isRefused: false }],
      ['waits', { remaining: 5, isRefused: true }],
    ]),
  );
  const started: string[] = [];
  const processes = { ...app.core.processes, startRamp: async (transport: string) => void started.push(transport) };
  const core = { ...app.core, processes };
  await startForgottenRamps(core, new Date());
  expect(started).toEqual(['other']);
  await startForgottenRamps(core, new Date(midnight()));
  expect(started.sort()).toEqual(['each', 'other', 'other', 'waits']);
});
