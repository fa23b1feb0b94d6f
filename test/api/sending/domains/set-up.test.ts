import { aProject } from '../../../support/platform/app';
import { aNameServer } from '../../../support/servers/dns-server';
import { aDomainChecker, domainCalls, addDomain, hostOf, publishZone, say } from '../../../support/calls/domains';
import type { WireDomain } from '../../../support/calls/domains';
import { stored } from '../../../support/data/stored';

const dns = aNameServer();
const app = aProject(() => ({ config: { DNS_SERVERS: dns.address } }));
aDomainChecker(app);

const { read, verify } = domainCalls(() => app);
const zoneOf = ({ domainId }: WireDomain) => app.api().get(`/v1/domains/${domainId}/zone`);
const answersOf = ({ dnsChecks }: WireDomain) => dnsChecks.map(({ purpose, answer, found }) => [purpose, answer, found]);

test('each DNS record says what is expected and nothing of an answer before DNS was asked', async () => {
  const domain = await addDomain(app.api());
  expect(answersOf(domain)).toEqual(domain.dnsRecords.map(({ purpose }) => [purpose, null, []]));
  expect(domain.dnsChecks.map(({ purpose, type, host, expected }) => [purpose, type, host, expected])).toEqual(
    domain.dnsRecords.map(({ purpose, type, host, value }) => [purpose, type, host, value]),
  );
});

test('a check shows what DNS answered for each record, and so does a read afterwards', async () => {
  const domain = await addDomain(app.api());
  say(dns, domain, 'ownership', { TXT: ['lettermill-verification=of-another-account'] });
  say(dns, domain, 'dkim', { TXT: [['v=DKIM1; k=rsa; ', 'p=AAAA']] });
  say(dns, domain, 'spf', { TXT: ['site-verification=1', 'v=spf1 -all'] });
  say(dns, domain, 'dmarc', 'servfail');
  say(dns, domain, 'tracking', { CNAME: 'track.example.net' });
  say(dns, domain, 'mailfrom', { MX: [[20, 'mx.example.net'] as const] });
  const checked = await verify(domain);
  expect(answersOf(checked)).toEqual([
    ['ownership', 'found', ['lettermill-verification=of-another-account']],
    ['dkim', 'found', ['v=DKIM1; k=rsa; p=AAAA']],
    ['spf', 'found', ['v=spf1 -all', 'site-verification=1']],
    ['dmarc', 'unknown', []],
    ['tracking', 'found', ['track.example.net']],
    ['mailfrom', 'found', ['20 mx.example.net']],
    ['mailfrom', 'none', []],
  ]);
  expect(answersOf(await read(domain))).toEqual(answersOf(checked));
  say(dns, domain, 'ownership');
  expect(answersOf(await verify(domain))[0]).toEqual(['ownership', 'none', []]);
});

test('a name with many long DNS records shows ten, shortened, the expected kind among them', async () => {
  const domain = await addDomain(app.api());
  const long = 'x'.repeat(250);
  const others = Array.from({ length: 12 }, (_, index) => [`note-${index} `, long, long, long, long, long]);
  say(dns, domain, 'spf', { TXT: [...others, 'v=spf1 mx ~all'] });
  const [shown] = (await verify(domain)).dnsChecks.filter(({ purpose }) => purpose === 'spf');
  expect(shown?.found).toHaveLength(10);
  expect(shown?.found[0]).toBe('v=spf1 mx ~all');
  expect(shown?.found[1]).toHaveLength(1_024);
});

test('the next check is there from the beginning, and none is to come for a domain that failed', async () => {
  const domain = await addDomain(app.api());
  expect(Date.parse(String(domain['nextCheckAt']))).toBeLessThanOrEqual(Date.now());
  await stored.domains.change(domain.domainId, { status: 'failed', nextCheckAt: null });
  expect((await read(domain))['nextCheckAt']).toBeNull();
});

test('a long value is a zone-file line of strings that DNS can hold', async () => {
  const domain = await addDomain(app.api());
  const { zoneLine = '', expected = '' } = domain.dnsChecks[1] ?? {};
  const strings = [...zoneLine.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text);
  expect(strings.map(({ length }) => length)).toEqual([255, expected.length - 255]);
  expect(strings.join('')).toBe(expected);
  expect(zoneLine.startsWith(`${hostOf(domain, 'dkim')}. 3600 IN TXT "`)).toBe(true);
});

test('a name server that loads the zone file verifies the domain', async () => {
  const domain = await addDomain(app.api());
  const answer = await zoneOf(domain).expect(200).expect('Content-Type', 'text/plain; charset=utf-8');
  expect(answer.headers['content-disposition']).toBe(`attachment; filename="${domain.domain}.zone"`);
  expect(answer.text.split('\n').filter((line) => line !== '' && !line.startsWith(';'))).toEqual(
    domain.dnsChecks.map(({ zoneLine }) => zoneLine),
  );
  publishZone(dns, answer.text);
  const verified = await verify(domain);
  expect(verified.dnsRecords.every(({ status }) => status === 'verified')).toBe(true);
  expect(verified.dnsChecks.map(({ found }) => found)).toEqual(verified.dnsChecks.map(({ expected }) => [expected]));
});

test('the zone of another project is not there', async () => {
  const { domainId } = await addDomain(app.api(app.otherKeys.secret));
  expect((await app.api().get(`/v1/domains/${domainId}/zone`).expect(404)).body.code).toBe('not_found');
});
