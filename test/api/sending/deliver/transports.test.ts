import { DELIVERY_SHARDS } from '../../../../src/contracts/delivery';
import { metrics } from '../../../../src/platform/metrics';
import { transportsFor } from '../../../../src/rules/transports';
import { LEASE_TIMES } from '../../../../src/sending/deliver/lease';
import { PUMP_TIMES } from '../../../../src/sending/deliver/pump';
import { aProject } from '../../../support/platform/app';
import { campaignCalls } from '../../../support/calls/campaigns';
import { campaignPages } from '../../../support/calls/campaign-pages';
import { claimCalls } from '../../../support/calls/campaign-claims';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { eventually } from '../../../support/platform/platform';
import { aNameServer } from '../../../support/servers/dns-server';
import { aMailServer } from '../../../support/servers/smtp-fault-server';
import type { ReceivedMail, SmtpFaultServer } from '../../../support/servers/smtp-fault-server';
import { stored } from '../../../support/data/stored';

const [main, north, south, backup] = [aMailServer(), aMailServer(), aMailServer(), aMailServer()];
const dns = aNameServer();
const at = (server: SmtpFaultServer): string => `smtp://127.0.0.1:${server.port}/?tls=off`;
const use = (...names: string[]) => names.map((transport) => ({ transport, weight: 1 }));
const ROUTES = [
  { tag: 'goes:nowhere', use: use('closed'), fallback: ['backup'] },
  { tag: 'goes:north', use: use('north'), fallback: ['backup'] },
  { provider: 'google', use: use('south'), fallback: [] },
  { type: 'marketing', use: use('north', 'south'), fallback: [] },
] as const;
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
        { name: 'north', url: at(north), hello: 'north.example.com' },
        { name: 'south', url: at(south), sourceAddress: '127.0.0.9' },
        { name: 'backup', url: at(backup) },
        // Nobody listens there.
        { name: 'closed', url: 'smtp://127.0.0.1:1' },
      ],
      routes: ROUTES,
    }),
  },
}));
const host = aDeliveryHost(app, { lease: LEASE_TIMES, pump: { ...PUMP_TIMES, lingerMs: 100 } });
const { running } = campaignCalls(() => app);
const { page } = campaignPages(
  () => app,
  () => host,
);
const { claimed, takeOver } = claimCalls(() => app);

beforeAll(() => {
  dns.names.set('workspace.test', { MX: [[10, 'aspmx.l.google.com']] });
  dns.names.set('other.test', { MX: [[10, 'mx.other.test']] });
});
afterEach(async () => {
  for (const server of [main, north, south, backup]) {
    server.script = {};
    server.messages.length = 0;
  }
  await Promise.all([stored.emails.remove(), stored.contacts.remove()]);
});

async function send(to: string, tag?: string): Promise<string> {
  const message = { to, from: 'a@hello.test', subject: 'Hello', text: 'Hello' };
  const tags = tag === undefined ? {} : { tags: [{ name: 'goes', value: tag }] };
  const { body } = await app
    .api()
    .post('/v1/send')
    .send({ ...message, ...tags })
    .expect(200);
  return body.data.results[0].id as string;
}

/** Runs the pumps of all shards until nothing is due. */
const pumps = (): Promise<unknown> =>
  Promise.all(
    Array.from({ length: DELIVERY_SHARDS }, (_, shard) =>
      host.pump({ shard, startedAt: Date.now(), stay: true, signal: new AbortController().signal, beat: () => undefined }),
    ),
  );
/** Its next attempt comes now, and the pumps have made it. */
async function tryAgain(id: string): Promise<void> {
  const { attempts } = await stored.emails.get(id);
  await stored.emails.change(id, { dueAt: new Date() });
  await eventually('it was tried', async () => {
    await pumps();
    return (await stored.emails.get(id)).attempts > attempts;
  });
}
const shown = async (id: string) => (await app.api().get(`/v1/emails/${id}`).expect(200)).body.data as Record<string, unknown>;
const arrived = (server: SmtpFaultServer): readonly string[] => server.messages.map(({ to }) => to);
const only = (server: SmtpFaultServer): ReceivedMail => {
  expect(server.messages).toHaveLength(1);
  return server.messages[0] as ReceivedMail;
};

test('a message goes over the transport of its route, by the name that it says; others over SMTP_URL', async () => {
  const tagged = await send('ada@other.test', 'north');
  const google = await send('bob@workspace.test');
  const other = await send('eve@other.test');
  await pumps();
  expect([arrived(north), arrived(south), arrived(main)]).toEqual([['ada@other.test'], ['bob@workspace.test'], ['eve@other.test']]);
  expect(north.commands).toContain('EHLO north.example.com');
  for (const [id, transport] of [
    [tagged, 'north'],
    [google, 'south'],
    [other, 'default'],
  ] as const)
    expect(await shown(id)).toMatchObject({ status: 'delivered', transport, attempts: 1 });
});

/** Connections that failed, by transport: each has its number from the start. */
async function failedConnects(): Promise<ReadonlyMap<unknown, number>> {
  const { values } = await metrics.smtpConnects.get();
  return new Map(values.filter(({ labels }) => labels.result === 'failed').map(({ labels, value }) => [labels.transport, value]));
}

test('a transport that cannot be connected to is passed over in the same attempt: same Message-ID, signed', async () => {
  const before = await failedConnects();
  const id = await send('ada@other.test', 'nowhere');
  await pumps();
  const { headers } = only(backup);
  expect(await failedConnects()).toEqual(new Map([...before, ['closed', (before.get('closed') ?? 0) + 1]]));
  const email = await shown(id);
  expect(email).toMatchObject({ status: 'delivered', transport: 'backup', attempts: 1 });
  expect(headers['message-id']).toBe(email['messageId']);
  expect(headers['dkim-signature']).toContain('d=hello.test');
});

test('a server that closes before the end of the message is passed over; what it says about the message is not', async () => {
  north.script = { data: 'reset' };
  const cut = await send('ada@other.test', 'north');
  await pumps();
  expect(await shown(cut)).toMatchObject({ status: 'delivered', transport: 'backup' });
  north.script = { rcpt: { reply: '550 5.1.1 No such user' } };
  const refused = await send('bob@other.test', 'north');
  await pumps();
  expect(await shown(refused)).toMatchObject({ status: 'bounced', transport: 'north' });
  expect(arrived(backup)).toEqual(['ada@other.test']);
});

test('a message in doubt stays with its transport, also while that is down', async () => {
  north.script = { dot: 'reset' };
  const id = await send('ada@other.test', 'north');
  await pumps();
  expect(await stored.emails.get(id)).toMatchObject({ transport: { name: 'north', inDoubt: true } });
  // Nothing of it reaches the server now: the earlier attempt still may have.
  north.script = { greeting: { reply: '421 4.3.2 Closed' } };
  await tryAgain(id);
  expect(await stored.emails.get(id)).toMatchObject({ attempts: 2, transport: { name: 'north', inDoubt: true } });
  north.script = {};
  await tryAgain(id);
  expect(await shown(id)).toMatchObject({ status: 'delivered', attempts: 3 });
  expect(arrived(backup)).toEqual([]);
  expect(new Set(north.messages.map(({ headers }) => headers['message-id'])).size).toBe(1);
});

test('mail of a campaign is shared by weight, each message as its id says, and its rows name the transport', async () => {
  const campaignId = await running(40);
  while (!(await page(campaignId)).done);
  const emails = await stored.emails.all({ campaignId });
  expect(emails).toHaveLength(40);
  for (const email of emails) {
    const { _id, projectId, type, transport, status } = email as typeof email & { type: 'marketing' };
    expect(status).toBe('delivered');
    expect(transport).toEqual({ name: transportsFor(ROUTES, { _id, projectId, type }, null)[0] });
  }
  const counts = [north, south].map(({ messages }) => messages.length);
  expect(counts[0]! + counts[1]!).toBe(40);
  expect(Math.min(...counts)).toBeGreaterThan(5);
  expect(arrived(main)).toEqual([]);
});

test('what a lost worker had of a campaign stays with the transports of its claim', async () => {
  const campaignId = await running(3);
  const { attempt } = await claimed(campaignId);
  await stored.campaignClaims.change(attempt.id, { transports: ['backup'] });
  await takeOver();
  const emails = await stored.emails.all({ campaignId });
  expect(emails.map(({ transport }) => transport)).toEqual([{ name: 'backup' }, { name: 'backup' }, { name: 'backup' }]);
  await pumps();
  expect(arrived(backup)).toHaveLength(3);
  expect([...arrived(north), ...arrived(south)]).toEqual([]);
});
