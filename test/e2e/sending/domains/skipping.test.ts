import { domainProgressQuery, domainVerificationId } from '../../../../src/contracts/domain-verification';
import { dkimVerifies } from '../../../support/checks/dkim-verifier';
import { aNameServer } from '../../../support/servers/dns-server';
import { publish, say } from '../../../support/calls/domains';
import type { WireDomain } from '../../../support/calls/domains';
import { eventually } from '../../../support/platform/platform';
import { aSkippingPlatform } from '../../../support/platform/skipping';
import { stored } from '../../../support/data/stored';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const dns = aNameServer();
const platform = aSkippingPlatform(() => ({ DNS_SERVERS: dns.address, DOMAIN_CHECK_INTERVAL_SECONDS: '14400' }));

const add = async (domain: string): Promise<WireDomain> => (await platform.call('POST', '/v1/domains', { domain })).data as WireDomain;
const read = async ({ domainId }: WireDomain): Promise<WireDomain> =>
  (await platform.call('GET', `/v1/domains/${domainId}`)).data as WireDomain;
const workflow = ({ domainId }: WireDomain) => platform.env.client.workflow.getHandle(domainVerificationId(domainId));
const becomes = (domain: WireDomain, status: string) =>
  eventually(`it is ${status}`, async () => ((await read(domain)).status === status ? read(domain) : null));

/** Lets time pass, and the checks that fall into it be made: a check reads the names as they are when it runs. */
async function pass(domain: WireDomain, ms: number): Promise<WireDomain> {
  await platform.env.sleep(ms);
  const now = await platform.env.currentTimeMs();
  await eventually('what was due was checked', async () => {
    const { nextCheckAt, status } = (await stored.domains.one(domain.domainId)) ?? {};
    return status === 'failed' || (nextCheckAt && nextCheckAt.getTime() > now);
  });
  return read(domain);
}

async function verified(name: string): Promise<WireDomain> {
  const domain = await add(name);
  await becomes(domain, 'pending');
  publish(dns, domain);
  await pass(domain, 4.1 * HOUR_MS);
  return becomes(domain, 'verified');
}

test('a domain without records is pending for 72 hours, then failed; verify begins another 72 hours', async () => {
  const domain = await add('late.example.com');
  await eventually('it was checked at once', async () => (await read(domain))['lastCheckedAt']);
  expect(await pass(domain, 71 * HOUR_MS)).toMatchObject({ status: 'pending', dkimStatus: 'pending' });
  expect(await pass(domain, 1.1 * HOUR_MS)).toMatchObject({ status: 'failed', dkimStatus: 'failed', trackingStatus: 'failed' });
  await workflow(domain).result();
  expect(await platform.call('POST', `/v1/domains/${domain.domainId}/verify`)).toMatchObject({ status: 200, data: { status: 'pending' } });
  await eventually('its workflow runs again', async () => (await workflow(domain).query(domainProgressQuery)).nextCheckAt);
  expect((await pass(domain, 70 * HOUR_MS)).status).toBe('pending');
  publish(dns, domain, 'ownership', 'dkim');
  expect(await pass(domain, 4 * HOUR_MS)).toMatchObject({ status: 'verified', verifiedForSending: true });
});

test('a verified domain outlives SERVFAIL for days and records that come back; it is withdrawn when one is missing for 72 hours', async () => {
  const domain = await verified('flapping.example.com');
  const send = () => platform.call('POST', '/v1/send', { to: 'ada@example.com', from: `a@${domain.domain}`, subject: 'S', text: 'T' });
  for (const { host } of domain.dnsRecords) dns.names.set(host, 'servfail');
  expect(await pass(domain, 10 * DAY_MS)).toMatchObject({ status: 'verified', dkimStatus: 'verified', trackingStatus: 'verified' });
  publish(dns, domain);
  say(dns, domain, 'dkim', { TXT: ['v=DKIM1; k=rsa; p=AAAA'] });
  expect(await pass(domain, 1.1 * DAY_MS)).toMatchObject({ status: 'verified', dkimStatus: 'failed' });
  publish(dns, domain);
  expect(await pass(domain, 1.1 * DAY_MS)).toMatchObject({ status: 'verified', dkimStatus: 'verified' });
  say(dns, domain, 'ownership');
  expect(await pass(domain, 3 * DAY_MS)).toMatchObject({ status: 'verified', verifiedForSending: true });
  expect((await send()).status).toBe(200);
  expect(await pass(domain, 1.1 * DAY_MS)).toMatchObject({ status: 'failed', verifiedForSending: false });
  expect((await send()).status).toBe(422);
});

test('what is sent from a domain that was just verified is signed with its key and names its own hosts: messages and campaigns', async () => {
  const { domain } = await verified('fresh.example.com');
  await platform.call('POST', '/v1/contacts', { email: 'grace@example.com' });
  const content = { subject: 'News', body: '<p><a href="https://example.com/">Look</a></p>', fromEmail: `news@${domain}` };
  const campaign = await platform.call('POST', '/v1/campaigns', { name: 'News', ...content });
  await platform.call('POST', `/v1/campaigns/${String(campaign.data['campaignId'])}/send`, {});
  await platform.call('POST', '/v1/send', { to: 'linus@example.com', from: `a@${domain}`, subject: 'S', html: content.body });
  for (const to of ['grace@example.com', 'linus@example.com']) {
    const mail = await eventually(`${to} has mail`, () => platform.smtp.messages.find((message) => message.to === to));
    expect(mail.from).toMatch(/^b\+[0-9a-z.]+@bounce\.fresh\.example\.com$/);
    expect(await dkimVerifies(mail.raw)).toBe(true);
    expect(mail.raw.toString()).toMatch(/DKIM-Signature:[^]*d=fresh\.example\.com/);
    expect(mail.raw.toString().replace(/=\r\n/g, '')).toContain('//track.fresh.example.com:3000/t/c/');
  }
});

test('a tracking host that is set up after the verification is used at the next check, not a day later; after 72 hours it is daily', async () => {
  const domain = await add('stepwise.example.com');
  await becomes(domain, 'pending');
  publish(dns, domain, 'ownership', 'dkim');
  expect(await pass(domain, 4.1 * HOUR_MS)).toMatchObject({ status: 'verified', trackingStatus: 'pending', mailFromStatus: 'pending' });
  publish(dns, domain, 'ownership', 'dkim', 'tracking');
  expect(await pass(domain, 4.1 * HOUR_MS)).toMatchObject({ trackingStatus: 'verified', mailFromStatus: 'pending' });
  await pass(domain, 3 * DAY_MS);
  publish(dns, domain);
  // Every four hours no more, but within a day.
  expect(await pass(domain, 8 * HOUR_MS)).toMatchObject({ status: 'verified', mailFromStatus: expect.not.stringMatching('verified') });
  expect(await pass(domain, DAY_MS)).toMatchObject({ status: 'verified', mailFromStatus: 'verified' });
});

test('the workflow of a deleted domain ends', async () => {
  const domain = await add('short-lived.example.com');
  await eventually('it was checked at once', async () => (await read(domain))['lastCheckedAt']);
  expect((await platform.call('DELETE', `/v1/domains/${domain.domainId}`)).status).toBe(200);
  const began = await platform.env.currentTimeMs();
  await eventually('it has ended', async () => (await workflow(domain).describe()).status.name === 'COMPLETED');
  expect((await platform.env.currentTimeMs()) - began).toBeLessThan(HOUR_MS);
});
