import fc from 'fast-check';
import type { Answer, MailExchange } from '../../../../src/platform/dns';
import { isFreeProvider } from '../../../../src/rules/verify/known-domains';
import { isRole, distance, suggestDomain, judgeAddress } from '../../../../src/rules/verify/verdict';
import type { Checks } from '../../../../src/rules/verify/verdict';
import { isDisposable, MailDomains } from '../../../../src/records/verify';

describe('the distance of two texts', () => {
  test.each([
    ['', '', 0],
    ['gmail', 'gmail', 0],
    ['gmail', '', 5],
    ['gmial', 'gmail', 1],
    ['gmil', 'gmail', 1],
    ['gmaill', 'gmail', 1],
    ['gnail', 'gmail', 1],
    ['ca', 'abc', 3],
  ])('of %j and %j is %d', (a, b, errors) => {
    expect([distance(a, b), distance(b, a)]).toEqual([errors, errors]);
  });

  test('is zero for the same alone, the same both ways, and no more than the longer one has letters', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const errors = distance(a, b);
        expect(errors === 0).toBe(a === b);
        expect(distance(b, a)).toBe(errors);
        expect(errors).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
        expect(errors).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });
});

describe('the domain that was meant', () => {
  test.each([
    ['gmial.com', 'gmail.com'],
    ['gmai.com', 'gmail.com'],
    ['gmail.con', 'gmail.com'],
    ['gmail.co', 'gmail.com'],
    ['gmial.cmo', 'gmail.com'],
    ['gmailcom', 'gmail.com'],
    ['gmail,com', 'gmail.com'],
    ['gmail.com.', 'gmail.com'],
    ['gmail', 'gmail.com'],
    ['yaho.com', 'yahoo.com'],
    ['yahooo.com', 'yahoo.com'],
    ['hotmial.com', 'hotmail.com'],
    ['homtial.com', 'hotmail.com'],
    ['hotmail.co.k', 'hotmail.co.uk'],
    ['outlok.com', 'outlook.com'],
    ['iclould.com', 'icloud.com'],
    ['aol.con', 'aol.com'],
    ['protonmal.com', 'protonmail.com'],
  ])('for %s is %s', (given, meant) => {
    expect(suggestDomain(given)).toBe(meant);
  });

  test.each([
    'gmail.com',
    'mail.com',
    'ymail.com',
    'email.com',
    'yahoo.in',
    'hotmail.de',
    'small.com',
    'all.com',
    'love.com',
    'wed.de',
    'example.com',
    'gmail.example.com',
    'x'.repeat(100_000),
    '',
    '.',
  ])('is none for %#', (given) => {
    expect(suggestDomain(given)).toBeNull();
  });
});

test.each([
  ['postmaster', true],
  ['Info', true],
  ['support+tickets', true],
  ['no-reply', true],
  ['ada', false],
  ['information', false],
  ['infos+info', false],
])('the role of %s: %s', (local, role) => {
  expect(isRole(local)).toBe(role);
});

test('free providers are those that give mailboxes away', () => {
  for (const domain of ['gmail.com', 'outlook.com', 'gmx.de', 'proton.me', 'qq.com'])
    expect([domain, isFreeProvider(domain)]).toEqual([domain, true]);
  for (const domain of ['example.com', 'comcast.net', 'sub.gmail.com', ''])
    expect([domain, isFreeProvider(domain)]).toEqual([domain, false]);
});

test('disposable are the domains of a list, and what is below them', () => {
  for (const domain of ['mailinator.com', 'any.name.mailinator.com', 'guerrillamail.com']) expect(isDisposable(domain)).toBe(true);
  for (const domain of ['gmail.com', 'xmailinator.example', 'mailinator.com.example.org']) expect(isDisposable(domain)).toBe(false);
});

describe('the verdict', () => {
  const GOOD: Checks = { syntax: true, mx: true, disposable: false, role: false, freeProvider: false, suppressed: false, nullMx: false };
  const RISKS = { disposable: true, role: true, suppressed: true } as const;

  test.each([
    ['undeliverable', 'invalid_syntax', { syntax: false, mx: false }, null],
    ['undeliverable', 'null_mx', { ...RISKS, mx: false, nullMx: true }, false],
    ['undeliverable', 'no_mail_server', { ...RISKS, mx: false }, false],
    ['unknown', 'dns_unavailable', { ...RISKS, mx: false }, null],
    ['unknown', 'dns_unavailable', { mx: false }, null],
    ['risky', 'suppressed', RISKS, true],
    ['risky', 'disposable', { disposable: true, role: true }, true],
    ['risky', 'role', { role: true }, true],
    ['deliverable', 'accepts_mail', {}, true],
    ['deliverable', 'accepts_mail', { freeProvider: true }, true],
    ['deliverable', 'accepts_mail', { mx: false }, true],
  ] as const)('is %s (%s) for %j', (result, reason, change, takesMail) => {
    expect(judgeAddress({ ...GOOD, ...change }, takesMail)).toEqual({ result, reason });
  });
});

describe('how a domain takes mail', () => {
  const NONE = { said: 'none' } as const;
  const found = (...hosts: string[]): Answer<MailExchange> => ({
    said: 'found',
    records: hosts.map((host) => ({ host, preference: 10 })),
  });

  /** A name system that says one thing, with a clock that stands until it is moved. */
  function named(mx: Answer<MailExchange> | Promise<never>, addresses: Answer<string> = NONE) {
    const asked = { mx: jest.fn(async () => mx), addresses: jest.fn(async () => addresses) };
    const clock = { time: 1_000, now: () => clock.time };
    return { asked, clock, domains: new MailDomains(asked, clock) };
  }

  test.each([
    ['exchangers', found('mx.example.com'), NONE, { takesMail: true, mx: true, nullMx: false }],
    ['a null MX', found(''), NONE, { takesMail: false, mx: false, nullMx: true }],
    ['a null MX beside another one, against RFC 7505', found('', 'mx.example.com'), NONE, { takesMail: true, mx: true, nullMx: false }],
    ['an address alone', NONE, { said: 'found', records: ['192.0.2.1'] } as const, { takesMail: true, mx: false, nullMx: false }],
    ['nothing', NONE, NONE, { takesMail: false, mx: false, nullMx: false }],
    ['no answer', { said: 'unknown' } as const, NONE, { takesMail: null, mx: false, nullMx: false }],
    ['no answer for its address', NONE, { said: 'unknown' } as const, { takesMail: null, mx: false, nullMx: false }],
  ])('with %s', async (_what, mx, addresses, expected) => {
    expect(await named(mx, addresses).domains.of('example.com')).toEqual(expected);
  });

  test('is asked once by many, and again after some minutes', async () => {
    const { asked, clock, domains } = named(found('mx.example.com'));
    await Promise.all([domains.of('example.com'), domains.of('example.com')]);
    clock.time += 299_000;
    await domains.of('example.com');
    expect(asked.mx).toHaveBeenCalledTimes(1);
    clock.time += 2_000;
    await domains.of('example.com');
    await domains.of('other.example.com');
    expect(asked.mx.mock.calls).toEqual([['example.com'], ['example.com'], ['other.example.com']]);
  });

  test('is asked again sooner where no mail is taken, and at once where DNS did not say', async () => {
    const none = named(NONE);
    await none.domains.of('example.com');
    none.clock.time += 59_000;
    await none.domains.of('example.com');
    expect(none.asked.mx).toHaveBeenCalledTimes(1);
    none.clock.time += 2_000;
    await none.domains.of('example.com');
    expect(none.asked.mx).toHaveBeenCalledTimes(2);
    const unsaid = named({ said: 'unknown' });
    for (let n = 0; n < 3; n++) await unsaid.domains.of('example.com');
    expect(unsaid.asked.mx).toHaveBeenCalledTimes(3);
  });

  test('is not waited for for ever', async () => {
    jest.useFakeTimers();
    const asking = named(new Promise<never>(() => undefined)).domains.of('example.com');
    await jest.advanceTimersByTimeAsync(5_000);
    jest.useRealTimers();
    expect(await asking).toEqual({ takesMail: null, mx: false, nullMx: false });
  });
});
