import { judgeCname, judgeDkim, judgeMx, judgeText } from '../../../../src/rules/domains/judge';
import { MAX_DOMAIN_LENGTH, bounceStatus, recordsOf } from '../../../../src/rules/domains/records';
import type { Answer } from '../../../../src/rules/domains/answers';
import { IDENTITY, NAMES } from '../../../support/calls/domain-identity';

const found = <T>(...records: T[]): Answer<T> => ({ said: 'found', records });
const NONE = { said: 'none' } as const;
const UNKNOWN = { said: 'unknown' } as const;

test('the records of a domain, in their order', () => {
  expect(recordsOf(IDENTITY, NAMES).map(({ purpose, type, host, value }) => [purpose, type, host, value])).toEqual([
    ['ownership', 'TXT', '_lettermill.example.com', 'lettermill-verification=0123456789abcdefghjkmnpqrstvwxyz'],
    ['dkim', 'TXT', 'lm0a1b2c3d._domainkey.example.com', `v=DKIM1; k=rsa; p=${IDENTITY.dkimPublicKey}`],
    ['spf', 'TXT', 'example.com', 'v=spf1 include:_spf.lettermill.test ~all'],
    ['dmarc', 'TXT', '_dmarc.example.com', 'v=DMARC1; p=none;'],
    ['tracking', 'CNAME', 'track.example.com', 'track.lettermill.test'],
    ['mailfrom', 'MX', 'bounce.example.com', '10 mx.lettermill.test'],
    ['mailfrom', 'TXT', 'bounce.example.com', 'v=spf1 include:_spf.lettermill.test ~all'],
  ]);
});

test('the longest domain leaves room for all names', () => {
  const hosts = recordsOf({ ...IDENTITY, domain: 'd'.repeat(MAX_DOMAIN_LENGTH) }, NAMES).map(({ host }) => host.length);
  expect(Math.max(...hosts)).toBe(253);
});

test('what a record asks for is what its judge takes', () => {
  const [ownership, dkim] = recordsOf(IDENTITY, NAMES).map(({ value }) => value);
  expect(judgeText(found(ownership ?? ''), ownership ?? '')).toBe('verified');
  expect(judgeDkim(found(dkim ?? ''), IDENTITY.dkimPublicKey)).toBe('verified');
});

test('an answer that says nothing is unknown, and none is wrong', () => {
  const judges = [
    (answer: Answer<never>) => judgeText(answer, 'x'),
    (answer: Answer<never>) => judgeDkim(answer, 'x'),
    (answer: Answer<never>) => judgeCname(answer, 'x'),
    (answer: Answer<never>) => judgeMx(answer, 'x'),
  ];
  expect(judges.map((judge) => judge(UNKNOWN))).toEqual(Array(4).fill('unknown'));
  expect(judges.map((judge) => judge(NONE))).toEqual(Array(4).fill('wrong'));
});

const P = IDENTITY.dkimPublicKey;

test.each([
  ['as asked for', [`v=DKIM1; k=rsa; p=${P}`], 'verified'],
  ['tags in another order', [`p=${P}; k=rsa; v=DKIM1`], 'verified'],
  ['no spaces, a semicolon at the end', [`v=DKIM1;k=rsa;p=${P};`], 'verified'],
  ['spaces within the key', [`v=DKIM1; k=rsa; p=${P.slice(0, 9)} ${P.slice(9)}`], 'verified'],
  ['only the key', [`p=${P}`], 'verified'],
  ['for SHA-256 and mail', [`v=DKIM1; h=sha1:sha256; s=email; t=s; n=note; p=${P}`], 'verified'],
  ['beside a text of something else', ['site-verification 1', `v=DKIM1; k=rsa; p=${P}`], 'verified'],
  ['another key', [`v=DKIM1; k=rsa; p=${P.replace('M', 'N')}`], 'wrong'],
  ['a revoked key', ['v=DKIM1; k=rsa; p='], 'wrong'],
  ['another kind of key', [`v=DKIM1; k=ed25519; p=${P}`], 'wrong'],
  ['another version', [`v=DKIM2; p=${P}`], 'wrong'],
  ['for SHA-1 only', [`v=DKIM1; h=sha1; p=${P}`], 'wrong'],
  ['for another service', [`v=DKIM1; s=tlsrpt; p=${P}`], 'wrong'],
  ['a tag given twice', [`v=DKIM1; p=${P}; p=${P}`], 'wrong'],
  ['no list of tags', [`v=DKIM1; p=${P}; nonsense`], 'wrong'],
  ['two keys', [`v=DKIM1; k=rsa; p=${P}`, `v=DKIM1; k=rsa; p=${P}`], 'wrong'],
])('DKIM: %s', (_, texts, verdict) => {
  expect(judgeDkim(found(...texts), P)).toBe(verdict);
});

test('ownership is the whole text, among others', () => {
  expect(judgeText(found('other', ' token=abc '), 'token=abc')).toBe('verified');
  expect(judgeText(found('token=ABC', 'token=abcd', 'xtoken=abc'), 'token=abc')).toBe('wrong');
});

test('a CNAME goes to the host itself, in any case', () => {
  expect(judgeCname(found('Track.Lettermill.Test.'), 'track.lettermill.test')).toBe('verified');
  expect(judgeCname(found('other.lettermill.test'), 'track.lettermill.test')).toBe('wrong');
});

test('the host is among the mail exchangers', () => {
  const others = [{ host: 'mx.example.com' }, { host: 'MX.lettermill.test' }];
  expect(judgeMx(found(...others), 'mx.lettermill.test')).toBe('verified');
  expect(judgeMx(found({ host: '' }), 'mx.lettermill.test')).toBe('wrong');
});

test('a bounce domain takes both of its records', () => {
  expect(bounceStatus({ bounceMx: 'verified', bounceSpf: 'verified' })).toBe('verified');
  expect(bounceStatus({ bounceMx: 'verified', bounceSpf: 'pending' })).toBe('pending');
  expect(bounceStatus({ bounceMx: 'failed', bounceSpf: 'verified' })).toBe('failed');
});
