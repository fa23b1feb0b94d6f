import { aNameServer } from '../../../support/servers/dns-server';
import { hostOf, publish } from '../../../support/calls/domains';
import type { WireDomain } from '../../../support/calls/domains';
import { aPlatform, eventually } from '../../../support/platform/platform';
import { stored } from '../../../support/data/stored';

jest.setTimeout(240_000);

const dns = aNameServer();
const platform = aPlatform(() => ({ ownServers: true, env: { DNS_SERVERS: dns.address, DOMAIN_CHECK_INTERVAL_SECONDS: '1' } }));

const add = async (domain: string): Promise<WireDomain> => {
  const { status, body } = await platform.post('/v1/domains', { domain });
  expect(status).toBe(201);
  return body.data as WireDomain;
};
const statusOf = async ({ domainId }: WireDomain): Promise<unknown> => (await platform.get(`/v1/domains/${domainId}`)).body.data.status;
const becomesVerified = (domain: WireDomain): Promise<boolean> =>
  eventually('it is verified', async () => (await statusOf(domain)) === 'verified');
const timesAsked = (domain: WireDomain): number =>
  dns.questions.filter((question) => question === `TXT ${hostOf(domain, 'ownership')}`).length;

test('a worker that is killed in the middle of the window: another one goes on where it stood', async () => {
  const domain = await add('killed.example.com');
  await eventually('it is checked again and again', () => timesAsked(domain) >= 3);
  await platform.worker.kill9();
  const { windowBeganAt } = (await stored.domains.one(domain.domainId)) ?? {};
  publish(dns, domain);
  expect(await statusOf(domain)).toBe('pending');
  await platform.worker.start();
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
  await stored.domains.change(domain.domainId, { nextCheckAt: new Date(Date.now() - 3_600_000) });
  expect(await becomesVerified(domain)).toBe(true);
});
