import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { metrics } from '../../../../src/platform/metrics/metrics';
import { addDomain } from '../../../support/calls/domains';
import type { WireDomain } from '../../../support/calls/domains';
import { dmarcReport, mailWithFiles, tlsReport } from '../../../support/data/domain-reports';
import type { ReportFile, ReportedRow } from '../../../support/data/domain-reports';
import { storeEmails } from '../../../support/data/email-rows';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { anInboundServer } from '../../../support/platform/inbound-smtp';
import { aNameServer } from '../../../support/servers/dns-server';

const DAY_MS = 86_400_000;
const dns = aNameServer();
const app = aProject(() => ({ config: { DNS_SERVERS: dns.address } }));
const smtp = anInboundServer(app);
const ADDRESS = () => `dmarc@${app.core.config.BOUNCE_DOMAIN}`;

beforeEach(() => {
  dns.names.clear();
  for (const name of ['sender.com', 'rival.com']) dns.names.set(name, { TXT: ['v=spf1 ip4:127.0.0.1 -all'] });
});

const daysAgo = (days: number): Date => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS);
const YESTERDAY = daysAgo(1);

/** A domain that its project has verified. */
async function verified(name?: string, key?: string): Promise<WireDomain> {
  const domain = await addDomain(app.api(key), name);
  await stored.domains.change(domain.domainId, { status: 'verified' });
  return domain;
}

const gz = (text: string): ReportFile => ({ type: 'application/gzip', name: 'report.xml.gz', bytes: gzipSync(text) });
const plain = (text: string): ReportFile => ({ type: 'text/xml', name: 'report.xml', bytes: Buffer.from(text) });
const zipped = (bytes: Uint8Array, name = 'report.xml'): ReportFile => ({
  type: 'application/zip',
  name: 'report.zip',
  bytes: zipSync({ 'readme.txt': Buffer.from('Hello'), [name]: bytes }),
});

async function deliver(files: readonly ReportFile[], { author = 'noreply@sender.com', to = [ADDRESS()] } = {}) {
  return (await smtp.deliver({ from: 'bounces@sender.com', to, data: Buffer.from(mailWithFiles(author, ...files)) })).data;
}

const reportsOf = async ({ domainId }: WireDomain, query: object = {}, key?: string) =>
  (await app.api(key).get(`/v1/domains/${domainId}/reports`).query(query).expect(200)).body.data;

let made = 0;
const report = (domain: string, rows: readonly ReportedRow[] = [{}], more: object = {}): string =>
  dmarcReport({ id: `report-${made++}`, domain, day: YESTERDAY, rows, ...more });

const counts = async (): Promise<Readonly<Record<string, number>>> =>
  Object.fromEntries((await metrics.domainReports.get()).values.map(({ labels, value }) => [String(labels['result']), value]));

/** Delivers a mail. Resolves to its answer, to how its reports were counted, and to how many rows they added. */
async function outcome(files: readonly ReportFile[], options: { author?: string } = {}) {
  const [before, rows] = [await counts(), await stored.domainReports.count()];
  const answer = (await deliver(files, options))?.slice(0, 3);
  const after = await counts();
  const counted = Object.keys(after).filter((result) => (after[result] ?? 0) > (before[result] ?? 0));
  return { answer, counted, added: (await stored.domainReports.count()) - rows };
}

const leftOut = (result: string) => ({ answer: '250', counted: [result], added: 0 });

test.each([
  ['gzip', gz],
  ['zip', (text: string) => zipped(Buffer.from(text))],
  ['plain XML', plain],
  ['gzip under another name', (text: string) => ({ ...gz(text), type: 'application/octet-stream', name: 'data' })],
])('a DMARC report as %s is read: who sends with the domain, and how much of it passes', async (_kind, pack) => {
  const domain = await verified();
  const own = { ip: '192.0.2.1', count: 8, signedBy: `${domain.selector}@${domain.domain}` };
  const office = { ip: '192.0.2.2', count: 3, dkim: 'fail', spf: 'pass', envelope: `mail.${domain.domain}` } as const;
  const stranger = { ip: '2001:db8::3', count: 2, dkim: 'fail', disposition: 'quarantine', signedBy: 's@crm.example.net' } as const;
  expect(await deliver([pack(report(domain.domain, [own, office, stranger, own]))])).toMatch(/^250 /);
  const { dmarc } = await reportsOf(domain);
  expect(dmarc).toMatchObject({
    reports: 1,
    messages: 21,
    aligned: 19,
    ours: 16,
    moreSources: 0,
    policy: { p: 'none', sp: 'none', pct: 100, adkim: 'r', aspf: 'r' },
    organizations: [{ organization: 'Mailbox Inc.', reporter: 'sender.com', reports: 1, messages: 21 }],
  });
  const lastDay = YESTERDAY.toISOString();
  const none = { spf: 0, quarantined: 0, rejected: 0, lastDay };
  expect(dmarc.sources).toEqual([
    { ...none, ip: '192.0.2.1', kind: 'ours', sender: domain.domain, messages: 16, dkim: 16 },
    { ...none, ip: '192.0.2.2', kind: 'aligned', sender: `mail.${domain.domain}`, messages: 3, dkim: 0, spf: 3 },
    { ...none, ip: '2001:db8::3', kind: 'failing', sender: 'crm.example.net', messages: 2, dkim: 0, quarantined: 2 },
  ]);
  expect((await reportsOf(domain, { limit: 1 })).dmarc).toMatchObject({ sources: [{ ip: '192.0.2.1' }], moreSources: 2 });
});

test.each([
  ['gzip', (text: string) => ({ type: 'application/tlsrpt+gzip', name: 'report.json.gz', bytes: gzipSync(text) })],
  ['plain JSON', (text: string) => ({ type: 'application/tlsrpt+json', name: 'report.json', bytes: Buffer.from(text) })],
])('a TLS report as %s is read', async (_kind, pack) => {
  const domain = await verified();
  expect(await deliver([pack(tlsReport(`tls-${made++}`, domain.domain, YESTERDAY))])).toMatch(/^250 /);
  expect((await reportsOf(domain)).tls).toEqual({
    reports: 1,
    successful: 5_326,
    failed: 303,
    failures: [
      { type: 'starttls-not-supported', sessions: 203 },
      { type: 'certificate-expired', sessions: 100 },
    ],
  });
});

test('the same report counts once; the same number from another reporter is another report', async () => {
  const domain = await verified();
  const same = [gz(report(domain.domain, [{ count: 5 }]))];
  expect(await outcome(same)).toEqual({ answer: '250', counted: ['stored'], added: 1 });
  for (let times = 0; times < 2; times++) expect(await outcome(same)).toEqual({ answer: '250', counted: ['repeated'], added: 0 });
  expect((await reportsOf(domain)).dmarc).toMatchObject({ reports: 1, messages: 5 });
  const data = Buffer.from(mailWithFiles('noreply@rival.com', ...same));
  await smtp.deliver({ from: 'bounces@rival.com', to: ADDRESS(), data });
  expect((await reportsOf(domain)).dmarc).toMatchObject({ reports: 2, messages: 10 });
});

const MANY = 17 * 1_048_576;
const ENTITIES = `<!DOCTYPE feedback [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>`;
test.each<readonly [string, (domain: string) => ReportFile]>([
  ['a gzip bomb', () => gz(`<feedback>${' '.repeat(MANY)}</feedback>`)],
  ['a zip bomb', () => zipped(Buffer.alloc(MANY, ' '))],
  ['a zip bomb that lies about its length', () => lying(zipped(Buffer.alloc(MANY, ' ')), 1_000)],
  ['a zip file without a report', () => zipped(Buffer.from('Hello'), 'hello.txt')],
  ['a damaged zip file', () => ({ ...zipped(Buffer.from('x')), bytes: zipped(Buffer.from('x')).bytes.subarray(0, -30) })],
  ['XML with entities', (domain) => gz(report(domain).replace('<feedback>', `${ENTITIES}<feedback>`))],
  ['XML with an unknown entity', (domain) => plain(report(domain).replace('Mailbox Inc.', '&b;'))],
  ['XML nested without end', () => gz('<a>'.repeat(1_000_000))],
  ['XML with a million attributes', () => gz(`<feedback${Array.from({ length: 1_000_000 }, (_, n) => ` a${n}=""`).join('')}/>`)],
  ['XML that ends early', (domain) => plain(report(domain).slice(0, -20))],
  [
    'more rows than a report has',
    (domain) =>
      gz(
        report(
          domain,
          Array.from({ length: 5_001 }, (_, n) => ({ count: n + 1, ip: `10.0.${n >> 8}.${n & 255}` })),
        ),
      ),
  ],
  ['JSON that is no report', () => ({ type: 'application/json', name: 'a.json', bytes: Buffer.from('{"policies": [1]}') })],
  [
    'JSON of nothing but depth',
    () => ({ type: 'application/tlsrpt+gzip', name: 'a.gz', bytes: gzipSync(`{"a":${'['.repeat(4_000_000)}`) }),
  ],
  ['a damaged gzip file', () => ({ ...gz('x'), bytes: gzipSync('<feedback/>').subarray(0, 20) })],
  ['a picture', () => ({ type: 'image/png', name: 'a.png', bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47]) })],
])('%s is counted and left out', async (_kind, file) => {
  const { domain } = await verified();
  expect(await outcome([file(domain)])).toEqual(leftOut('unreadable'));
});

/** Returns the file with another length in its heads. */
function lying(file: ReportFile, length: number): ReportFile {
  const bytes = Buffer.from(file.bytes);
  for (const [mark, offset] of [
    ['PK\x03\x04', 22],
    ['PK\x01\x02', 24],
  ] as const) {
    bytes.writeUInt32LE(length, bytes.lastIndexOf(mark, undefined, 'latin1') + offset);
  }
  return { ...file, bytes };
}

test('a report that cannot be read stops neither the next one nor the other recipients of its mail', async () => {
  const domain = await verified();
  const to = [ADDRESS(), `box@${domain.domain}`];
  expect(await deliver([plain('<feedback>'), gz(report(domain.domain, [{ count: 7 }]))], { to })).toMatch(/^250 /);
  expect((await reportsOf(domain)).dmarc).toMatchObject({ reports: 1, messages: 7 });
  expect((await app.api().get('/v1/inbound').query({ to: to[1] }).expect(200)).body.data).toHaveLength(1);
});

test('a report on a domain that no project has, and one on a domain that is not verified, are left out', async () => {
  expect(await outcome([gz(report('elsewhere.example.org'))])).toEqual(leftOut('foreign'));
  const { domain } = await addDomain(app.api());
  expect(await outcome([gz(report(domain))])).toEqual(leftOut('foreign'));
});

test('a report counts only if its mail is proved to come from its author’s domain', async () => {
  const { domain } = await verified();
  expect(await outcome([gz(report(domain))], { author: 'noreply@google.com' })).toEqual(leftOut('unproved'));
  dns.names.set('sender.com', { TXT: ['v=spf1 -all'] });
  expect(await outcome([gz(report(domain))])).toEqual(leftOut('unproved'));
  dns.names.set('sender.com', 'servfail');
  expect(await deliver([gz(report(domain))])).toMatch(/^451 /);
});

test('a report on a time long ago, or to come, is left out', async () => {
  const { domain } = await verified();
  for (const days of [90, -3]) expect(await outcome([gz(report(domain, [{}], { day: daysAgo(days) }))])).toEqual(leftOut('untimely'));
});

test('one reporter adds at most 50 reports to a day of a domain', async () => {
  const domain = await verified();
  await deliver([gz(report(domain.domain))]);
  const { _id, ...one } = await stored.domainReports.get({ domain: domain.domain });
  await stored.domainReports.collection.insertMany(Array.from({ length: 49 }, (_, n) => ({ ...one, _id: `${_id}${n}` })));
  expect(await outcome([gz(report(domain.domain))])).toEqual(leftOut('over_limit'));
  expect((await reportsOf(domain)).dmarc.reports).toBe(50);
});

test('each project sees the reports on its own domains; mail from a subdomain belongs to who has it', async () => {
  const parent = await verified();
  const child = await verified(`news.${parent.domain}`, app.otherKeys.secret);
  const rows = [
    { count: 5 },
    { count: 3, from: child.domain },
    { count: 2, from: `shop.${parent.domain}` },
    { count: 9, from: 'x.example.org' },
  ];
  await deliver([gz(report(parent.domain, rows))]);
  expect((await reportsOf(parent)).dmarc.messages).toBe(7);
  expect((await reportsOf(child, {}, app.otherKeys.secret)).dmarc.messages).toBe(3);
  await app.api(app.otherKeys.secret).get(`/v1/domains/${parent.domainId}/reports`).expect(404);
});

test('what was sent stands next to what reports say, day by day', async () => {
  const domain = await verified();
  // A day of its own: a day is counted once.
  const day = daysAgo(45);
  const createdAt = new Date(day.getTime() + 1_000);
  const sent = { fromEmail: `team@${domain.domain}`, createdAt, status: 'sent', sentAt: createdAt } as const;
  await storeEmails(
    app.keys.projectId,
    sent,
    { ...sent, sentAt: null, bouncedAt: createdAt, status: 'bounced' },
    { ...sent, testMode: true },
  );
  await storeEmails(app.keys.projectId, { ...sent, fromEmail: 'team@other.example.com' }, { ...sent, sentAt: null, status: 'failed' });
  await deliver([gz(report(domain.domain, [{ count: 1, signedBy: `${domain.selector}@${domain.domain}` }], { day }))]);
  await deliver([gz(report(domain.domain, [{ count: 4 }], { day: daysAgo(0) }))]);
  expect((await reportsOf(domain, { from: day.toISOString() })).dmarc.days).toEqual([
    { day: day.toISOString(), sent: 2, messages: 1, aligned: 1, ours: 1 },
    { day: daysAgo(0).toISOString(), sent: null, messages: 4, aligned: 4, ours: 0 },
  ]);
});

test('a domain is ready for quarantine after 14 clean days, and for reject after 30 with quarantine published', async () => {
  const domain = await verified();
  const clean = (day: number, policy: string) =>
    gz(report(domain.domain, [{ count: 99 }, { dkim: 'fail', ip: '192.0.2.9' }], { day: daysAgo(day), policy }));
  const ready = async () => (await reportsOf(domain)).dmarc.ready;
  for (let day = 31; day > 18; day--) await deliver([clean(day, 'none')]);
  expect(await ready()).toMatchObject({ quarantine: false, reject: false, cleanDays: 13 });
  for (let day = 18; day > 1; day--) await deliver([clean(day, 'none')]);
  expect(await ready()).toMatchObject({ quarantine: true, reject: false, cleanDays: 30 });
  await deliver([clean(1, 'quarantine')]);
  expect(await ready()).toEqual({ quarantine: true, reject: true, cleanDays: 31, lastDay: YESTERDAY.toISOString() });
  await deliver([gz(report(domain.domain, [{ count: 9, dkim: 'fail' }]))]);
  expect(await ready()).toMatchObject({ quarantine: false, reject: false, cleanDays: 0 });
});

test('the answer names the records that bring reports, and keeps the policy that is published', async () => {
  const domain = await verified();
  const { address, records } = await reportsOf(domain);
  expect(address).toBe(ADDRESS());
  expect(records).toEqual([
    { purpose: 'dmarc', type: 'TXT', host: `_dmarc.${domain.domain}`, value: `v=DMARC1; p=none; rua=mailto:${ADDRESS()};` },
    { purpose: 'tls', type: 'TXT', host: `_smtp._tls.${domain.domain}`, value: `v=TLSRPTv1; rua=mailto:${ADDRESS()}` },
  ]);
});

test('a domain with a return path of its own gets its reports there, where nobody has to agree', async () => {
  const domain = await verified();
  await stored.domains.change(domain.domainId, { 'records.bounceMx': 'verified', 'records.bounceSpf': 'verified' });
  const { address } = await reportsOf(domain);
  expect(address).toBe(`dmarc@bounce.${domain.domain}`);
  await deliver([gz(report(domain.domain))], { to: [address] });
  expect((await reportsOf(domain)).dmarc.reports).toBe(1);
});

test('a span that is empty or too long is refused', async () => {
  const { domainId } = await verified();
  const at = (query: object) => app.api().get(`/v1/domains/${domainId}/reports`).query(query);
  const [day, next, later] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2028-01-01T00:00:00Z'];
  expect((await at({ from: next, to: day }).expect(422)).body.details).toMatchObject([{ path: 'from', code: 'invalid_combination' }]);
  expect((await at({ from: day, to: later }).expect(422)).body.details).toMatchObject([{ path: 'from', code: 'too_big' }]);
  expect((await at({ from: day, to: next }).expect(200)).body.data).toMatchObject({
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-01-02T00:00:00.000Z',
  });
});
