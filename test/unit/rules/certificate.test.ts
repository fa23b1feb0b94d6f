import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { Certificate, CertificateCheck, judgeMessage } from '../../../src/rules/certificate';
import type { CertifiedRecipient } from '../../../src/rules/certificate';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const AT = new Date('2026-11-23T09:00:00.000Z');
const LATE_MS = 14 * 86_400_000;
const late = new Date(AT.getTime() + LATE_MS);
const minutes = (count: number): Date => new Date(AT.getTime() + count * 60_000);

const message = { attempts: 1, sentAt: null, dueAt: null, attempt: { at: AT } } as const;
const judged = (more: object) => {
  const { outcome, reason, open } = judgeMessage({ status: 'queued', ...message, ...more }, LATE_MS);
  return [outcome, reason, open];
};

test.each([
  ['deferred: due later than its attempt', { dueAt: minutes(5) }, ['deferred', null, 'without_end']],
  ['its worker was lost: due since its attempt', { dueAt: AT }, ['in_doubt', 'no_reply', 'without_end']],
  ['held after a restore of the database', {}, ['in_doubt', 'no_reply', 'without_end']],
  ['on a connection', { status: 'sending' }, ['in_doubt', 'under_way', 'without_end']],
  ['accepted by a smarthost that reports no delivery', { status: 'sent', sentAt: AT }, ['in_doubt', 'no_report', late]],
  ['test mail', { status: 'sent', sentAt: AT, testMode: true }, ['in_doubt', 'test_mode', null]],
  ['delivered', { status: 'delivered', sentAt: AT }, ['delivered', null, late]],
  ['opened', { status: 'opened', sentAt: AT }, ['delivered', null, late]],
  ['reported by its reader', { status: 'complained', sentAt: AT }, ['delivered', null, late]],
  ['bounced', { status: 'bounced', bouncedAt: AT, bounceType: 'soft' }, ['bounced', 'soft', null]],
  ['bounced, then reported', { status: 'complained', bouncedAt: AT, bounceType: 'hard' }, ['bounced', 'hard', null]],
  ['failed', { status: 'failed' }, ['failed', null, null]],
  ['deferred, then cancelled with its campaign', { status: 'cancelled' }, ['failed', 'cancelled', null]],
  ['its worker was lost, then cancelled', { status: 'cancelled', attempt: { at: AT, lost: true } }, ['in_doubt', 'cancelled', null]],
])('a message is judged: %s', (_what, more, expected) => {
  expect(judged(more)).toEqual(expected);
});

const outcome = fc.constantFrom('pending', 'skipped', 'delivered', 'bounced', 'failed', 'deferred', 'in_doubt');
const recipients: fc.Arbitrary<CertifiedRecipient[]> = fc.array(
  fc.record({
    recipientId: fc.stringMatching(/^crc_[a-z0-9]{1,12}$/),
    contactId: fc.option(fc.stringMatching(/^ctc_[a-z0-9]{1,12}$/)),
    emailId: fc.constant('em_1'),
    outcome,
    reason: fc.constantFrom(null, 'hard', 'soft', 'suppressed', 'no_reply'),
    group: fc.constantFrom('1', '2'),
    attempts: fc.nat(9),
    sentAt: fc.constantFrom(null, AT),
    open: fc.constantFrom(null, late, 'without_end' as const),
  }),
  { maxLength: 30 },
);

function made(all: readonly CertifiedRecipient[]): { readonly certificate: Certificate; readonly csv: string } {
  const certificate = new Certificate('contentVersion', sha256);
  return { certificate, csv: [certificate.header, ...all.map((each) => certificate.add(each))].join('') };
}

function check(csv: string): CertificateCheck | null {
  const checked = new CertificateCheck(sha256);
  return csv.split(/(?<=\n)/).every((line) => checked.accepts(line)) ? checked : null;
}

test('whatever became of the recipients, the sums add up, in all and by version', () => {
  fc.assert(
    fc.property(recipients, (all) => {
      const { audience, skipped, pending, groups, ...figures } = made(all).certificate.figures;
      const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((one, other) => one + other, 0);
      expect(audience).toBe(all.length);
      expect(figures.sent + sum(skipped) + pending).toBe(audience);
      for (const { sent, delivered, bounced, failed, deferred, inDoubt } of [figures, ...groups.values()]) {
        expect(delivered + sum(bounced) + failed + deferred + inDoubt).toBe(sent);
      }
      expect(sum(Object.fromEntries([...groups].map(([name, { sent }]) => [name, sent])))).toBe(figures.sent);
    }),
  );
});

test('lines as they were written are accepted, with the end that the certificate has', () => {
  fc.assert(
    fc.property(recipients, (all) => {
      const { certificate, csv } = made(all);
      expect(check(csv)?.end).toEqual(certificate.end);
    }),
  );
});

test('one flipped byte anywhere is found', () => {
  fc.assert(
    fc.property(recipients, fc.nat(), fc.integer({ min: 0, max: 7 }), (all, at, bit) => {
      const bytes = Buffer.from(made(all).csv);
      const place = at % bytes.length;
      bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << bit), place);
      expect(check(bytes.toString('utf8'))).toBeNull();
    }),
  );
});

test('a line that is missing, or moved, is found', () => {
  const one = (recipientId: string): CertifiedRecipient => ({
    recipientId,
    contactId: null,
    emailId: null,
    outcome: 'pending',
    reason: null,
    group: null,
    attempts: 0,
    sentAt: null,
    open: null,
  });
  const [header, first, second, third] = made([one('crc_1'), one('crc_2'), one('crc_3')]).csv.split(/(?<=\n)/) as [
    string,
    string,
    string,
    string,
  ];
  expect(check([header, first, third].join(''))).toBeNull();
  expect(check([header, second, first, third].join(''))).toBeNull();
  expect(check([first, second, third].join(''))).toBeNull();
  expect(check([header, first, second].join(''))?.end?.rows).toBe(2);
});
