import { DELIVERY_SHARDS } from '../../../../src/contracts/delivery';
import { loadConfig } from '../../../../src/platform/config/config';
import { platformOf } from '../../../../src/processes/admin/platform';
import { parseRequest } from '../../../../src/processes/admin/request';
import { LEASE_TIMES } from '../../../../src/sending/deliver/lease';
import { ProviderLimits } from '../../../../src/sending/deliver/provider-limits';
import { PUMP_TIMES } from '../../../../src/sending/deliver/pump';
import { MeasureBook } from '../../../../src/sending/provider-measures';
import { aProject } from '../../../support/platform/app';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { eventually } from '../../../support/platform/platform';
import { aNameServer } from '../../../support/servers/dns-server';
import { aMailServer } from '../../../support/servers/smtp-fault-server';
import { stored } from '../../../support/data/stored';

const smtp = aMailServer();
const dns = aNameServer();
const RULES = [
  {
    provider: 'google',
    connections: 1,
    on: [{ reply: '4\\.7\\.28|rate limit', times: 2, withinMinutes: 60, do: 'suspend', forMinutes: 30 }],
  },
  { provider: 'outlook', on: [{ reply: 'S3150', times: 1, withinMinutes: 60, do: 'hold' }] },
  { provider: 'yahoo', perMinute: 60, on: [{ reply: 'TSS04', times: 1, withinMinutes: 60, do: 'rate', perMinute: 1, forMinutes: 10 }] },
] as const;
const app = aProject(() => ({
  config: {
    DEV_VERIFIED_DOMAINS: 'hello.test',
    DNS_SERVERS: dns.address,
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}/?tls=off`,
    SMTP_CONNECTIONS: '4',
    SMTP_RETRY_SECONDS: '600',
    TRANSPORTS: JSON.stringify({ rules: RULES }),
  },
}));
const host = aDeliveryHost(app, { lease: LEASE_TIMES, pump: { ...PUMP_TIMES, lingerMs: 100 } });

beforeAll(() => {
  dns.names.set('gmail.test', { MX: [[10, 'gmail-smtp-in.l.google.com']] });
  dns.names.set('live.test', { MX: [[10, 'live-com.olc.protection.outlook.com']] });
  dns.names.set('other.test', { MX: [[10, 'mx.other.test']] });
});
afterEach(async () => {
  smtp.script = {};
  smtp.messages.length = 0;
  smtp.commands.length = 0;
  await Promise.all([stored.emails.remove(), stored.providerMeasures.remove(), stored.providerHolds.remove()]);
});

async function send(to: string): Promise<string> {
  const { body } = await app.api().post('/v1/send').send({ to, from: 'a@hello.test', subject: 'Hello', text: 'Hello' }).expect(200);
  return body.data.results[0].id as string;
}
const pumps = (): Promise<unknown> =>
  Promise.all(
    Array.from({ length: DELIVERY_SHARDS }, (_, shard) =>
      host.pump({ shard, startedAt: Date.now(), stay: true, signal: new AbortController().signal, beat: () => undefined }),
    ),
  );
const asked = (domain: string): number => smtp.commands.filter((line) => line.startsWith('RCPT') && line.includes(`@${domain}`)).length;
const admin = async (...words: string[]) => {
  const { result } = await parseRequest(words).run(platformOf(loadConfig({}), () => undefined));
  return result as readonly unknown[];
};
const book = (): MeasureBook => new MeasureBook(app.core, RULES);

test('no more messages to a provider are on the wire than its rule allows; others pass', async () => {
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  smtp.script = ({ stage, to }) => (stage === 'dot' && to?.endsWith('@gmail.test') ? { dot: { until } } : {});
  for (const name of ['a', 'b', 'c']) await send(`${name}@gmail.test`);
  for (const name of ['d', 'e']) await send(`${name}@other.test`);
  const all = pumps();
  await eventually('the others have arrived', () => smtp.messages.filter(({ to }) => to.endsWith('@other.test')).length === 2);
  await eventually('one is there', () => asked('gmail.test') === 1);
  release();
  await all;
  await eventually('all have arrived', async () => {
    await pumps();
    return smtp.messages.length === 5;
  });
  expect(asked('gmail.test')).toBe(3);
});

test('a provider is suspended after replies that its rule names: without spent attempts, and after a restart too', async () => {
  smtp.script = ({ stage, to }) =>
    stage === 'rcpt' && to?.endsWith('@gmail.test') ? { rcpt: { reply: '450 4.7.28 Rate limit for ada@gmail.test' } } : {};
  const tried = [await send('a@gmail.test'), await send('b@gmail.test')];
  await pumps();
  await eventually('it is suspended', async () => (await stored.providerMeasures.all({ until: { $gt: new Date() } })).length === 1);
  const [measure] = await stored.providerMeasures.all({});
  expect(measure).toMatchObject({ _id: 'google/0', provider: 'google', replies: [], reply: '450 4.7.28 Rate limit for <address>' });
  const waits = await send('c@gmail.test');
  const other = await send('d@other.test');
  await pumps();
  await eventually('it was put off', async () => Number((await stored.emails.get(waits)).dueAt) > Date.now() + 20 * 60_000);
  expect(await stored.emails.get(waits)).toMatchObject({ status: 'queued', attempts: 0 });
  expect(await stored.emails.get(other)).toMatchObject({ status: 'delivered' });
  for (const id of tried) expect(await stored.emails.get(id)).toMatchObject({ status: 'queued', attempts: 1 });
  const restarted = book();
  await restarted.learn();
  expect(restarted.of('google')).toHaveLength(1);
  expect(restarted.of('outlook')).toEqual([]);
});

test('operators list what holds against a provider, and end it', async () => {
  const counted = book();
  for (const _reply of [1, 2]) counted.note({ provider: 'google', at: 0, projectId: app.keys.projectId, reply: '450 4.7.28 Rate limit' });
  await eventually('it is suspended', async () => (await admin('measures', 'list')).length === 1);
  const listed = { measure: 'google/0', provider: 'google', do: 'suspend', perMinute: null, reply: '450 4.7.28 Rate limit' };
  expect(await admin('measures', 'list')).toEqual([{ ...listed, until: expect.any(Date) }]);
  expect(await admin('measures', 'end', 'google/0')).toEqual([]);
  await expect(admin('measures', 'end', 'google/0')).rejects.toThrow('No measure with this name holds now');
  await counted.learn();
  expect(counted.of('google')).toEqual([]);
  expect(await admin('audit', '--limit', '1')).toMatchObject([{ action: 'measure.end', subject: 'google/0', projectId: null }]);
});

test('replies that are old, or do not match, lead to nothing', async () => {
  const counted = book();
  counted.note({ provider: 'google', at: 0, projectId: app.keys.projectId, reply: '450 4.7.28 Rate limit' });
  await eventually('it is counted', () => stored.providerMeasures.count({}));
  await stored.providerMeasures.change('google/0', { replies: [new Date(Date.now() - 3_700_000)] });
  counted.note({ provider: 'google', at: 0, projectId: app.keys.projectId, reply: '450 4.7.28 Rate limit' });
  await eventually('both are there', async () => (await stored.providerMeasures.get('google/0')).replies.length === 2);
  expect(await stored.providerMeasures.get('google/0')).toMatchObject({ until: null });
});

test('a rule holds the campaigns of the project for the provider, and no other mail', async () => {
  smtp.script = { rcpt: { reply: '550 5.7.1 Unfortunately, messages from [192.0.2.1] were not sent (S3150)' } };
  await send('a@live.test');
  await pumps();
  await eventually('the hold is there', () => stored.providerHolds.count({ since: { $type: 'date' } }));
  expect(await stored.providerHolds.all({})).toMatchObject([{ projectId: app.keys.projectId, provider: 'outlook', policy: 'volume' }]);
  const restarted = book();
  await restarted.learn();
  expect(restarted.of('outlook')).toEqual([]);
  await expect(admin('measures', 'end', `outlook/0/${app.keys.projectId}`)).rejects.toThrow('No measure');
});

test('a rate lets through what comes in a second, spreads the rest, and is lowered by a reply', async () => {
  let now = Date.now();
  const limits = new ProviderLimits(
    app.core,
    RULES,
    () => undefined,
    () => now,
  );
  expect(limits.waits('yahoo')).toBeNull();
  limits.take('yahoo');
  limits.take('yahoo');
  limits.take('yahoo');
  const later = [limits.waits('yahoo'), limits.waits('yahoo')].map((answer) => (answer && 'laterMs' in answer ? answer.laterMs : 0));
  expect(later).toEqual([4_000, 5_000]);
  now += 3_000;
  expect(limits.waits('yahoo')).toBeNull();
  limits.note('yahoo', app.keys.projectId, {
    accepted: false,
    phase: 'rcpt',
    cause: 'reply',
    inDoubt: false,
    message: '',
    reply: { code: 421, enhanced: '4.7.0', text: '4.7.0 [TSS04] Messages temporarily deferred' },
  });
  await eventually('it is lowered', () => limits['book'].of('yahoo').length === 1);
  limits.take('yahoo');
  now += 5_000;
  expect(limits.waits('yahoo')).not.toBeNull();
  now += 60_000;
  expect(limits.waits('yahoo')).toBeNull();
});
