import { aNameServer } from '../../../support/servers/dns-server';
import { hostOf, publish, say } from '../../../support/calls/domains';
import type { WireDomain } from '../../../support/calls/domains';
import { aPlatform, Part, eventually } from '../../../support/platform/platform';
import { stored } from '../../../support/data/stored';
import { forTheFile } from '../../../support/run/for-the-file';

jest.setTimeout(240_000);

const dns = aNameServer();
// Where a worker does not say otherwise, no check but the first comes automatically within these tests.
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
  expect((await askAgain(domain)).status).toBe('pending');
  await platform.temporal.restart();
  expect(await becomesVerified(domain)).toBe(true);
});

describe('checks that come on schedule', () => {
  const often = forTheFile(
    async () => {
      await platform.worker.stop();
      const part = new Part('worker/main.ts', { ...platform.env, DOMAIN_CHECK_INTERVAL_SECONDS: '1' }, 'Worker is ready');
      await part.start();
      return part;
    },
    (part) => part.stop(),
  );

  const add = async (domain: string): Promise<WireDomain> => {
    const { status, body } = await platform.post('/v1/domains', { domain });
    expect(status).toBe(201);
    return body.data as WireDomain;
  };
  const timesAsked = (domain: WireDomain): number =>
    dns.questions.filter((question) => question === `TXT ${hostOf(domain, 'ownership')}`).length;

  test('a worker that is killed in the middle of the window: another one goes on where it stood', async () => {
    const domain = await add('window.example.com');
    await eventually('it is checked again and again', () => timesAsked(domain) >= 3);
    await often.kill9();
    const { windowBeganAt } = (await stored.domains.one(domain.domainId)) ?? {};
    publish(dns, domain);
    expect((await read(domain)).status).toBe('pending');
    await often.start();
    expect(await becomesVerified(domain)).toBe(true);
    expect(await stored.domains.one(domain.domainId)).toMatchObject({ windowBeganAt });
  });

  test('a domain that is added while Temporal is away is checked when it is back', async () => {
    await platform.temporal.kill9();
    const domain = await add('added-meanwhile.example.com');
    publish(dns, domain);
    await platform.temporal.restart();
    expect(await becomesVerified(domain)).toBe(true);
  });

  test('a domain workflow that was ended by hand is begun anew by the sweep', async () => {
    const domain = await add('forgotten.example.com');
    await eventually('it was checked', () => timesAsked(domain) > 0);
    const client = await platform.temporalClient();
    await client.workflow.getHandle(`domain/${domain.domainId}`).terminate('by a person');
    await client.connection.close();
    publish(dns, domain);
    const nextCheckAt = new Date(Date.now() - 3_600_000);
    // A check that was under way when its workflow ended still writes when the next one is due.
    const found = await eventually('it is verified', async () => {
      await stored.domains.change({ _id: domain.domainId, status: 'pending' }, { nextCheckAt });
      const now = await read(domain);
      return now.status === 'verified' && now;
    });
    expect(found).toMatchObject({ status: 'verified', dkimStatus: 'verified' });
  });
});
