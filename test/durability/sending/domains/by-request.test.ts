import { aNameServer } from '../../../support/servers/dns-server';
import { publish, say } from '../../../support/calls/domains';
import type { WireDomain } from '../../../support/calls/domains';
import { aPlatform, eventually } from '../../../support/platform/platform';
import { stored } from '../../../support/data/stored';

jest.setTimeout(240_000);

const dns = aNameServer();
// No check comes by itself within these tests but the first.
const platform = aPlatform(() => ({ ownServers: true, env: { DNS_SERVERS: dns.address, DOMAIN_CHECK_INTERVAL_SECONDS: '3600' } }));

const read = async ({ domainId }: WireDomain): Promise<WireDomain> =>
  (await platform.get(`/v1/domains/${domainId}`)).body.data as WireDomain;

async function added(name: string): Promise<WireDomain> {
  const domain = (await platform.post('/v1/domains', { domain: name })).body.data as WireDomain;
  return eventually('it was checked once', async () => {
    const now = await read(domain);
    return now['lastCheckedAt'] === null ? null : now;
  });
}

const ask = ({ domainId }: WireDomain) => platform.post(`/v1/domains/${domainId}/verify`, {});

/** Asks as somebody does who waited for ten seconds. */
async function askAgain(domain: WireDomain): Promise<WireDomain> {
  await stored.domains.change(domain.domainId, { requestedAt: null });
  const { status, body } = await ask(domain);
  expect(status).toBe(200);
  return body.data as WireDomain;
}

const becomesVerified = (domain: WireDomain): Promise<boolean> =>
  eventually('it is verified', async () => (await read(domain)).status === 'verified');

test('a check by request answers with what DNS says now: of a domain that is pending, verified, or failed', async () => {
  const domain = await added('asked.example.com');
  publish(dns, domain);
  expect(await askAgain(domain)).toMatchObject({ status: 'verified', mailFromStatus: 'verified' });
  say(dns, domain, 'dkim');
  expect(await askAgain(domain)).toMatchObject({ status: 'verified', dkimStatus: 'failed' });
  const client = await platform.temporalClient();
  await client.workflow.getHandle(`domain/${domain.domainId}`).terminate('as after a window that ended');
  await client.connection.close();
  await stored.domains.change(domain.domainId, { status: 'failed', nextCheckAt: null });
  expect(await askAgain(domain)).toMatchObject({ status: 'pending', dkimStatus: 'pending' });
  publish(dns, domain);
  expect(await askAgain(domain)).toMatchObject({ status: 'verified', dkimStatus: 'verified' });
});

test('of requests at the same time one has a check made, and the others are told to wait', async () => {
  const domain = await added('raced.example.com');
  publish(dns, domain);
  const answers = await Promise.all(Array.from({ length: 5 }, () => ask(domain)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429, 429, 429]);
  expect(answers.find(({ status }) => status === 200)?.body.data.status).toBe('verified');
});

test('a worker that is killed during a check by request: the answer is the domain as it stands, and another worker makes the check', async () => {
  const domain = await added('killed.example.com');
  publish(dns, domain);
  const { dnsRecords } = domain;
  const zones = dnsRecords.map(({ host }) => [host, dns.names.get(host)] as const);
  for (const [host] of zones) dns.names.set(host, 'silence');
  const asked = dns.questions.length;
  await stored.domains.change(domain.domainId, { requestedAt: null });
  const answer = ask(domain);
  await eventually('a worker asks DNS', () => dns.questions.length > asked);
  await platform.worker.kill9();
  for (const [host, zone] of zones) dns.names.set(host, zone ?? {});
  const { status, body } = await answer;
  expect([status, body.data.status]).toEqual([200, 'pending']);
  const silent = dns.questions.length;
  expect((await askAgain(domain)).status).toBe('pending');
  expect(dns.questions.length).toBe(silent);
  await platform.worker.start();
  expect(await becomesVerified(domain)).toBe(true);
});

test('a check that is asked for while Temporal is away is made when it is back', async () => {
  const domain = await added('meanwhile.example.com');
  publish(dns, domain);
  await platform.temporal.kill9();
  const began = Date.now();
  expect((await askAgain(domain)).status).toBe('pending');
  expect(Date.now() - began).toBeLessThan(15_000);
  await platform.temporal.restart();
  expect(await becomesVerified(domain)).toBe(true);
});
