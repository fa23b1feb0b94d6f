import { readiness, reportRecords } from '../../../../src/rules/domains/readiness';

const ADDRESS = 'dmarc@bounce.example.com';
const OURS = `mailto:${ADDRESS}`;

test.each([
  ['no record', undefined, `v=DMARC1; p=none; rua=${OURS};`],
  ['no DMARC record', 'v=spf1 -all', `v=DMARC1; p=none; rua=${OURS};`],
  ['a policy', 'v=DMARC1;p=reject;adkim=s', `v=DMARC1; p=reject; adkim=s; rua=${OURS};`],
  ['other reports', 'v=DMARC1; rua=mailto:a@example.net; p=none', `v=DMARC1; rua=mailto:a@example.net,${OURS}; p=none;`],
  ['our reports', `v=DMARC1; p=none; rua=${OURS}`, `v=DMARC1; p=none; rua=${OURS};`],
])('the record to publish where there is %s adds our address once, and changes nothing else', (_what, published, value) => {
  expect(reportRecords('example.com', ADDRESS, published)).toEqual([
    { purpose: 'dmarc', type: 'TXT', host: '_dmarc.example.com', value },
    { purpose: 'tls', type: 'TXT', host: '_smtp._tls.example.com', value: `v=TLSRPTv1; rua=${OURS}` },
  ]);
});

const NOW = new Date('2026-03-01T12:00:00Z');
const before = (days: number): Date => new Date(Date.UTC(2026, 2, 1 - days));
/** Days with reports, the newest one `last` days ago. */
const days = (count: number, last = 1, aligned = 98) =>
  Array.from({ length: count }, (_, n) => ({ day: before(last + n), messages: 100, aligned }));

test.each([
  ['no report', [], 'none', [false, false, 0]],
  ['13 clean days', days(13), 'none', [false, false, 13]],
  ['14 clean days', days(14), 'none', [true, false, 14]],
  ['30 clean days with p=none', days(30), 'none', [true, false, 30]],
  ['30 clean days with p=quarantine', days(30), 'quarantine', [true, true, 30]],
  ['30 clean days with p=reject', days(30), 'reject', [true, true, 30]],
  ['14 days with 3 % that fail', days(14, 1, 97), 'none', [false, false, 0]],
  ['a bad day before 14 clean ones', [...days(14), ...days(20, 15, 0)], 'none', [true, false, 14]],
  ['days without mail between', [...days(7), { day: before(8), messages: 0, aligned: 0 }, ...days(7, 10)], 'none', [true, false, 14]],
  ['a last report seven days ago', days(14, 7), 'none', [true, false, 14]],
  ['a last report nine days ago', days(14, 9), 'none', [false, false, 14]],
])('with %s: ready as documented', (_what, reported, published, [quarantine, reject, cleanDays]) => {
  expect(readiness(reported, published, NOW)).toMatchObject({ quarantine, reject, cleanDays });
});
