import type { Answer } from '../../../../src/rules/domains/answers';
import { judgeDmarc } from '../../../../src/rules/domains/dmarc';
import { isPublicDomain } from '../../../../src/sending/domains/lookups';

const NONE = 'v=DMARC1; p=none';

/** Judges a domain by the texts at `_dmarc.` of some names; null is an answer that says nothing. */
async function judged(domain: string, zone: Readonly<Record<string, readonly string[] | null>>, asked: string[] = []): Promise<string> {
  const ask = (name: string): Promise<Answer<string>> => {
    asked.push(name);
    const texts = zone[name.slice('_dmarc.'.length)];
    if (texts === null) return Promise.resolve({ said: 'unknown' });
    return Promise.resolve(texts ? { said: 'found', records: texts } : { said: 'none' });
  };
  return judgeDmarc(domain, await ask(`_dmarc.${domain}`), ask);
}

test.each([
  [['v=DMARC1; p=none;'], 'verified'],
  [['v=DMARC1;p=reject;rua=mailto:d@example.com'], 'verified'],
  [['v=DMARC1; sp=none; p=Quarantine'], 'verified'],
  [['v = DMARC1 ; p = none'], 'verified'],
  [['v=DMARC1; rua=mailto:d@example.com'], 'verified'],
  [['something else', 'v=DMARC1; p=none'], 'verified'],
  [['v=DMARC1'], 'wrong'],
  [['v=DMARC1; p=maybe'], 'wrong'],
  [['v=DMARC2; p=none'], 'wrong'],
  [['p=none; v=DMARC1'], 'wrong'],
  [['v=DMARC1; p=none; p=reject'], 'wrong'],
  [['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'wrong'],
  [['v=spf1 ~all'], 'wrong'],
])('at the domain, %j is %s', async (texts, verdict) => {
  expect(await judged('example.com', { 'example.com': texts })).toBe(verdict);
});

test.each<[string, Parameters<typeof judged>[1], string]>([
  ['mail.example.com', { 'example.com': [NONE] }, 'verified'],
  ['a.b.mail.example.com', { 'example.com': [NONE] }, 'verified'],
  ['mail.example.com', { 'example.com': [NONE, NONE] }, 'wrong'],
  ['mail.example.com', { 'example.com': ['v=DMARC1; p=maybe'] }, 'wrong'],
  ['mail.example.com', {}, 'wrong'],
  // Two records at a name are none; one that cannot be heeded ends the search.
  ['mail.example.com', { 'mail.example.com': [NONE, NONE], 'example.com': [NONE] }, 'verified'],
  ['mail.example.com', { 'mail.example.com': ['v=DMARC1; p=maybe'], 'example.com': [NONE] }, 'wrong'],
  // The organization is the name with the fewest labels that has a record, unless one says otherwise.
  ['a.b.example.com', { 'b.example.com': [NONE], 'example.com': ['v=DMARC1; p=maybe'] }, 'wrong'],
  ['a.b.example.com', { 'b.example.com': ['v=DMARC1; p=none; psd=n'], 'example.com': ['v=DMARC1; p=maybe'] }, 'verified'],
  // A record of the public is nobody's.
  ['mail.example.bank', { bank: ['v=DMARC1; p=reject; psd=y'] }, 'wrong'],
  ['example.bank', { bank: ['v=DMARC1; p=reject; psd=y'] }, 'wrong'],
  ['mail.example.bank', { 'example.bank': [NONE], bank: ['v=DMARC1; p=reject; psd=Y'] }, 'verified'],
  ['a.b.example.bank', { 'b.example.bank': [NONE], bank: ['v=DMARC1; p=reject; psd=y'] }, 'wrong'],
  // What is not known changes nothing.
  ['mail.example.com', { 'mail.example.com': null, 'example.com': [NONE] }, 'unknown'],
  ['mail.example.com', { 'example.com': null }, 'unknown'],
  ['mail.example.com', { 'example.com': [NONE], com: null }, 'unknown'],
])('%s with %j is %s', async (domain, zone, verdict) => {
  expect(await judged(domain, zone)).toBe(verdict);
});

test('a long name is asked about by its last seven labels, and nothing is asked where the domain has a record', async () => {
  const asked: string[] = [];
  await judged('a.b.c.d.e.f.g.h.example.com', {}, asked);
  expect(asked).toEqual(
    [
      'a.b.c.d.e.f.g.h.example.com',
      'd.e.f.g.h.example.com',
      'e.f.g.h.example.com',
      'f.g.h.example.com',
      'g.h.example.com',
      'h.example.com',
      'example.com',
      'com',
    ].map((name) => `_dmarc.${name}`),
  );
  asked.length = 0;
  await judged('mail.example.com', { 'mail.example.com': [NONE] }, asked);
  expect(asked).toEqual(['_dmarc.mail.example.com']);
});

test.each([
  ['co.uk', true],
  ['com.br', true],
  ['github.io', true],
  ['gmail.com', true],
  ['outlook.com', true],
  ['fastmail.com', true],
  ['example.co.uk', false],
  ['somebody.github.io', false],
  ['mail.example.com', false],
  ['hello.test', false],
  ['xn--bcher-kva.example', false],
])('%s is public: %s', (domain, isPublic) => {
  expect(isPublicDomain(domain)).toBe(isPublic);
});
