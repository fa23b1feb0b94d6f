import { aProject } from '../../../support/platform/app';
import { storeEmails } from '../../../support/data/email-rows';
import { stored } from '../../../support/data/stored';
import { aNameServer } from '../../../support/servers/dns-server';

const dns = aNameServer();
const app = aProject(() => ({ config: { DNS_SERVERS: dns.address } }));
const AT = new Date(Date.now() - 3_600_000);
const UNTIL = new Date(Date.now() + 3_600_000);
const HELD = new Date(AT.getTime() + 1_000);

beforeAll(async () => {
  dns.names.set('gmail.test', { MX: [[10, 'gmail-smtp-in.l.google.com']] });
  dns.names.set('workspace.test', { MX: [[10, 'aspmx.l.google.com']] });
  dns.names.set('stopped.test', { MX: [[10, 'mx.stopped.example']] });
  dns.names.set('example.test', { MX: [[10, 'mx.mail.example.net']] });
  const taken = { createdAt: AT, attempts: 1, sentAt: AT, deliveredAt: AT, status: 'delivered' } as const;
  const refusal = { createdAt: AT, attempts: 1, status: 'bounced', bouncedAt: AT } as const;
  await storeEmails(
    app.keys.projectId,
    { ...taken, to: 'a@gmail.test' },
    { ...taken, to: 'b@workspace.test' },
    { ...taken, to: 'c@workspace.test', complainedAt: AT, status: 'complained' },
    { ...taken, to: 'd@workspace.test' },
    { ...refusal, to: 'e@gmail.test', error: '550 5.7.26 Unauthenticated mail from e@gmail.test' },
    { ...refusal, to: 'f@gmail.test', error: '550 5.7.26 Unauthenticated mail from f@gmail.test' },
    { createdAt: AT, attempts: 1, to: 'g@gmail.test', status: 'queued', dueAt: HELD, error: '450 4.2.2 Mailbox full' },
    { createdAt: AT, attempts: 1, to: 'h@example.test', status: 'queued', dueAt: HELD, error: 'failed at connect: refused' },
    { createdAt: new Date(Date.now() - 8 * 86_400_000), attempts: 0, to: 'm@stopped.test', status: 'queued', dueAt: UNTIL },
    // Not counted: not tried, a test, too old, and another project's.
    { createdAt: AT, attempts: 0, to: 'i@gmail.test', status: 'queued', dueAt: HELD },
    { ...taken, to: 'j@gmail.test', testMode: true },
    { ...taken, to: 'k@gmail.test', createdAt: new Date(Date.now() - 8 * 86_400_000) },
  );
  await storeEmails(app.otherKeys.projectId, { ...taken, to: 'l@gmail.test' });
  await stored.providerHolds.collection.insertOne({
    _id: `${app.keys.projectId}/google` as never,
    projectId: app.keys.projectId,
    provider: 'google',
    policy: 'authentication',
    reply: '550 5.7.26',
    recent: 2,
    lastAt: HELD,
    refused: 2,
    since: HELD,
    checks: 0,
    nextCheckAt: null,
    missing: ['TXT _dmarc.hello.test'],
    probe: null,
    probeAt: null,
  });
  const measure = { replies: [], reply: '421 4.7.0 Mail of another project', endsAt: UNTIL } as const;
  await stored.providerMeasures.make({ ...measure, _id: 'example.net/0', provider: 'example.net', do: 'rate', perMinute: 5, until: UNTIL });
  await stored.providerMeasures.make({ ...measure, _id: 'google/0', provider: 'google', do: 'suspend', until: AT });
  for (const provider of ['stopped.example', 'unused.example'])
    await stored.providerMeasures.make({ ...measure, _id: `${provider}/0`, provider, do: 'suspend', until: UNTIL });
});

test('mail is counted by who takes it, with complaints, refusals and the last replies, what is held and limited, and no address', async () => {
  const { body } = await app.api().get('/v1/deliverability/providers').expect(200);
  expect(body.data).toEqual({
    since: expect.any(String),
    providers: [
      {
        provider: 'google',
        sent: 6,
        delivered: 4,
        deferred: 1,
        bounced: 2,
        complained: 1,
        complaintRate: 0.25,
        policyRefusals: 2,
        hold: {
          since: HELD.toISOString(),
          reply: '550 5.7.26',
          refused: 2,
          nextCheckAt: null,
          how: expect.stringMatching(/DKIM and DMARC.*TXT _dmarc\.hello\.test/),
        },
        measures: [],
        replies: expect.arrayContaining([
          { reply: '550 5.7.26 Unauthenticated mail from <address>', count: 2 },
          { reply: '450 4.2.2 Mailbox full', count: 1 },
        ]),
      },
      {
        provider: 'example.net',
        sent: 0,
        delivered: 0,
        deferred: 1,
        bounced: 0,
        complained: 0,
        complaintRate: null,
        policyRefusals: 0,
        hold: null,
        measures: [{ do: 'rate', until: UNTIL.toISOString(), perMinute: 5 }],
        replies: [],
      },
      expect.objectContaining({ provider: 'stopped.example', deferred: 0, measures: [{ do: 'suspend', until: UNTIL.toISOString() }] }),
    ],
  });
});

test('more days count older mail', async () => {
  const { body } = await app.api().get('/v1/deliverability/providers?days=30').expect(200);
  expect(body.data.providers[0]).toMatchObject({ provider: 'google', sent: 7 });
});

test.each(['0', '31', 'x'])('%s days are refused', async (days) => {
  const { status } = await app.api().get(`/v1/deliverability/providers?days=${days}`);
  expect(status).toBe(422);
});
