import type { StartIntent } from '../../../../src/contracts/processes';
import { sweepOutbox } from '../../../../src/platform/outbox';
import { checkInBackground } from '../../../../src/sending/domains/request';
import { DomainModel } from '../../../../src/sending/domains/model';
import { aProject } from '../../../support/platform/app';
import { aNameServer } from '../../../support/servers/dns-server';
import { aDomainChecker, domainCalls, addDomain, hostOf, publish, say, statusesOf } from '../../../support/calls/domains';
import type { WireDomain } from '../../../support/calls/domains';
import { stored } from '../../../support/data/stored';

const dns = aNameServer();
const app = aProject(() => ({ config: { DNS_SERVERS: dns.address } }));
aDomainChecker(app);
afterEach(() => jest.restoreAllMocks());

const { read, verify } = domainCalls(() => app);

test('all records are there: verified at once', async () => {
  const domain = await addDomain(app.api());
  publish(dns, domain);
  const verified = await verify(domain);
  expect(verified).toMatchObject({
    status: 'verified',
    verifiedForSending: true,
    dkimStatus: 'verified',
    spfStatus: 'verified',
    dmarcStatus: 'verified',
    trackingStatus: 'verified',
    mailFromStatus: 'verified',
    lastCheckedAt: expect.any(String),
  });
  expect(statusesOf(verified).every((status) => status.endsWith(' verified'))).toBe(true);
  expect(await read(domain)).toEqual(verified);
});

test('ownership and DKIM are enough, one of them is not', async () => {
  const domain = await addDomain(app.api());
  publish(dns, domain, 'dkim');
  expect(await verify(domain)).toMatchObject({ status: 'pending', dkimStatus: 'verified', verifiedForSending: false });
  publish(dns, domain, 'ownership');
  expect(await verify(domain)).toMatchObject({ status: 'verified', spfStatus: 'pending', trackingStatus: 'pending' });
});

test('the bounce domain takes both of its records', async () => {
  const domain = await addDomain(app.api());
  publish(dns, domain, 'ownership', 'dkim');
  dns.names.set(hostOf(domain, 'mailfrom'), { MX: [[10, 'mx.lettermill.test']] });
  const half = await verify(domain);
  expect(half.mailFromStatus).toBe('pending');
  expect(statusesOf(half).slice(5)).toEqual(['mailfrom verified', 'mailfrom pending']);
  publish(dns, domain, 'mailfrom');
  expect((await verify(domain)).mailFromStatus).toBe('verified');
});

const right = 'v=spf1 include:_spf.lettermill.test ~all';
test.each([
  ['ownership', { TXT: ['lettermill-verification=other'] }],
  ['dkim', { TXT: ['v=DKIM1; k=rsa; p=AAAA'] }],
  ['spf', { TXT: [right, 'v=spf1 -all'] }],
  ['dmarc', { TXT: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] }],
  ['tracking', { CNAME: 'track.example.net' }],
  ['mailfrom', { MX: [[10, 'mx.example.net'] as const], TXT: [right] }],
])('a %s record is not verified by %j', async (purpose, zone) => {
  const domain = await addDomain(app.api());
  publish(dns, domain);
  say(dns, domain, purpose, zone);
  const { dnsRecords } = await verify(domain);
  const others = dnsRecords.filter((record) => record.purpose !== purpose);
  expect(dnsRecords.filter((record) => record.purpose === purpose).map(({ status }) => status)).toContain('pending');
  expect(others.every(({ status }) => status === 'verified')).toBe(true);
});

test('a DMARC record of the organization is enough, and SERVFAIL changes nothing', async () => {
  const domain = await addDomain(app.api(), 'mail.of-a-firm.example');
  publish(dns, domain);
  dns.names.delete('_dmarc.mail.of-a-firm.example');
  expect((await verify(domain))['dmarcStatus']).toBe('pending');
  dns.names.set('_dmarc.of-a-firm.example', { TXT: ['v=DMARC1; p=reject'] });
  expect((await verify(domain))['dmarcStatus']).toBe('verified');
  dns.names.set('_dmarc.of-a-firm.example', 'servfail');
  expect((await verify(domain))['dmarcStatus']).toBe('verified');
  dns.names.delete('_dmarc.of-a-firm.example');
  expect((await verify(domain))['dmarcStatus']).toBe('failed');
});

test.each(['co.uk', 'Outlook.com'])('%s belongs to everybody', async (domain) => {
  const { body } = await app.api().post('/v1/domains').send({ domain }).expect(422);
  expect(body.details).toEqual([{ path: 'domain', code: 'reserved_name', message: expect.any(String) }]);
});

test('SPF may be reached through the records of others', async () => {
  const domain = await addDomain(app.api());
  dns.names.set(domain.domain, { TXT: ['v=spf1 include:_spf.of-a-suite.example ~all'] });
  dns.names.set('_spf.of-a-suite.example', { TXT: [right] });
  expect((await verify(domain))['spfStatus']).toBe('verified');
});

const unanswered = ({ dnsChecks }: WireDomain) => dnsChecks.map((check) => ({ ...check, answer: 'unknown', found: [] }));

test.each(['servfail', 'silence'] as const)('a DNS failure (%s) changes nothing, answered within seconds', async (failure) => {
  const domain = await addDomain(app.api());
  publish(dns, domain);
  const before = await verify(domain);
  for (const { host } of domain.dnsRecords) dns.names.set(host, failure);
  const looked = { lastCheckedAt: expect.any(String), nextCheckAt: expect.any(String) };
  expect(await verify(domain)).toEqual({ ...before, ...looked, dnsChecks: unanswered(before) });
  const fresh = await addDomain(app.api());
  for (const { host } of fresh.dnsRecords) dns.names.set(host, failure);
  expect(await verify(fresh)).toEqual({ ...fresh, ...looked, dnsChecks: unanswered(fresh) });
});

test('a domain is checked once in ten seconds by request, also when requests come at the same time', async () => {
  const { domainId } = await addDomain(app.api());
  const path = `/v1/domains/${domainId}/verify`;
  const answers = await Promise.all(Array.from({ length: 5 }, () => app.api().post(path).send({})));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429, 429, 429]);
  const refused = await app.api().post(path).expect(429);
  expect(refused.body.code).toBe('rate_limited');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(10);
  await stored.domains.change(domainId, { requestedAt: new Date(Date.now() - 10_500) });
  await app.api().post(path).expect(200);
});

const FAILED = { status: 'failed', windowBeganAt: new Date(0), nextCheckAt: null } as const;

test('another window for a domain that failed: its workflow is asked, started if need be, and it may be verified at once', async () => {
  const domain = await addDomain(app.api());
  await stored.domains.change(domain.domainId, { ...FAILED, 'records.dkim': 'failed' });
  app.processes.ask.mockClear();
  expect(await verify(domain)).toMatchObject({ status: 'pending', dkimStatus: 'pending' });
  const { workflowId } = app.processes.ask.mock.calls[0]?.[0] as StartIntent;
  expect(workflowId).toBe(`domain/${domain.domainId}`);
  const { windowBeganAt, nextCheckAt } = await stored.domains.get(domain.domainId);
  expect(Date.now() - Number(windowBeganAt)).toBeLessThan(60_000);
  expect(Number(nextCheckAt)).toBeGreaterThan(Date.now());
  await stored.domains.change(domain.domainId, FAILED);
  publish(dns, domain);
  expect((await verify(domain)).status).toBe('verified');
});

test('a check that is asked for while Temporal is away, or slow, is made later, and the answer is the domain as it stands', async () => {
  const domain = await addDomain(app.api());
  await stored.domains.change(domain.domainId, { ...FAILED, 'records.dkim': 'failed' });
  publish(dns, domain);
  app.processes.ask.mockRejectedValueOnce(new Error('away'));
  expect(await verify(domain)).toMatchObject({ status: 'pending', dkimStatus: 'pending', lastCheckedAt: null });
  await app.api().post(`/v1/domains/${domain.domainId}/verify`).expect(429);
  app.processes.start.mockClear();
  await sweepOutbox(app.core, new Date(Date.now() + 60_000));
  expect(app.processes.start).toHaveBeenCalledWith(
    expect.objectContaining({ workflowId: `domain/${domain.domainId}`, signal: 'lookAgain' }),
  );
  expect((await verify(domain)).status).toBe('verified');
  expect(await stored.outbox.count({ _id: `domain/${domain.domainId}` })).toBe(0);
});

test('a request that comes between the reading and the storing of a check keeps its window and its turn', async () => {
  const domain = await addDomain(app.api());
  await stored.domains.change(domain.domainId, FAILED);
  jest.spyOn(DomainModel, 'exists').mockImplementationOnce((async () => {
    app.processes.ask.mockRejectedValueOnce(new Error('away'));
    await verify(domain);
    return null;
  }) as never);
  const check = { domainId: domain.domainId, projectId: app.keys.projectId, now: Date.now() };
  expect(await checkInBackground(app.core, check)).toMatchObject({ status: 'pending' });
  await app.api().post(`/v1/domains/${domain.domainId}/verify`).expect(429);
});

test('a body with anything in it is refused', async () => {
  const { domainId } = await addDomain(app.api());
  const { body } = await app.api().post(`/v1/domains/${domainId}/verify`).send({ force: true }).expect(422);
  expect(body.details).toMatchObject([{ path: 'force', code: 'unrecognized_keys' }]);
});
