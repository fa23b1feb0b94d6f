import { aProject } from '../../../support/platform/app';
import { aNameServer } from '../../../support/servers/dns-server';
import type { Name } from '../../../support/servers/dns-server';

interface Verdict {
  readonly email: string;
  readonly result: string;
  readonly reason: string;
  readonly suggestion: string | null;
  readonly checks: Readonly<Record<string, boolean>>;
}

const MX: Name = { MX: [[10, 'mx.mail.test']] };
const GOOD = { syntax: true, mx: true, disposable: false, role: false, freeProvider: false, suppressed: false, nullMx: false };
const NOT_ASKED = { ...GOOD, syntax: false, mx: false };

let count = 0;

const dns = aNameServer();
const app = aProject(() => ({ config: { DNS_SERVERS: dns.address } }));

const api = (key?: string | null) => app.api(key);

async function verify(email: string, key?: string): Promise<Verdict> {
  const { body } = await api(key).post('/v1/verify').send({ email }).expect(200);
  expect(body).toEqual({ success: true, data: expect.anything() });
  return body.data as Verdict;
}

/** A domain of its own for which DNS says this. */
function domainWith(name?: Name): string {
  const domain = `domain${++count}.test`;
  if (name) dns.names.set(domain, name);
  return domain;
}

test('an address whose domain takes mail is deliverable', async () => {
  const domain = domainWith(MX);
  const email = `ada@${domain}`;
  expect(await verify(`Ada@${domain.toUpperCase()}`)).toEqual({
    email,
    result: 'deliverable',
    reason: 'accepts_mail',
    suggestion: null,
    checks: GOOD,
  });
});

test('a domain without MX takes mail at its own address, of either kind', async () => {
  for (const zone of [{ A: ['192.0.2.1'] }, { AAAA: ['2001:db8::1'] }]) {
    expect(await verify(`ada@${domainWith(zone)}`)).toMatchObject({ result: 'deliverable', checks: { ...GOOD, mx: false } });
  }
});

test('an internationalised domain is asked for in its ASCII form', async () => {
  dns.names.set('xn--mnchen-3ya.test', MX);
  expect(await verify('Ada@MÜNCHEN.test')).toMatchObject({ email: 'ada@xn--mnchen-3ya.test', result: 'deliverable' });
});

describe('undeliverable is', () => {
  test.each([
    '',
    'nobody',
    '@domain.test',
    'ada@',
    'ada@localhost',
    'a b@domain.test',
    'ada@-x.test',
    'ada@192.0.2.1',
    '"ada l"@domain.test',
    `${'x'.repeat(65)}@domain.test`,
    `a@${'x.'.repeat(2_000)}test`,
  ])('what is no address: %#', async (email) => {
    expect(await verify(email)).toEqual({
      email,
      result: 'undeliverable',
      reason: 'invalid_syntax',
      suggestion: null,
      checks: NOT_ASKED,
    });
  });

  test('a domain that does not exist, or has neither MX nor address', async () => {
    for (const domain of [domainWith(), domainWith({}), domainWith({ TXT: ['v=spf1 -all'] })]) {
      expect(await verify(`ada@${domain}`)).toMatchObject({
        result: 'undeliverable',
        reason: 'no_mail_server',
        checks: { ...GOOD, mx: false },
      });
    }
  });

  test('a domain that says so by a null MX, even with an address', async () => {
    const domain = domainWith({ MX: [[0, '.']], A: ['192.0.2.1'] });
    expect(await verify(`ada@${domain}`)).toMatchObject({
      result: 'undeliverable',
      reason: 'null_mx',
      checks: { ...GOOD, mx: false, nullMx: true },
    });
  });
});

describe('unknown is', () => {
  test.each(['servfail', 'refused', 'silence'] as const)('a domain of which DNS says nothing: %s', async (failure) => {
    const domain = domainWith(failure);
    expect(await verify(`postmaster@${domain}`)).toMatchObject({
      result: 'unknown',
      reason: 'dns_unavailable',
      checks: { ...GOOD, role: true, mx: false },
    });
    dns.names.set(domain, MX);
    expect(await verify(`ada@${domain}`)).toMatchObject({ result: 'deliverable' });
  });
});

describe('risky is', () => {
  test('an address of an office, with any label', async () => {
    const domain = domainWith(MX);
    for (const local of ['info', 'Support+x', 'postmaster', 'no-reply']) {
      expect(await verify(`${local}@${domain}`)).toMatchObject({ result: 'risky', reason: 'role', checks: { ...GOOD, role: true } });
    }
  });

  test('an address for the moment', async () => {
    dns.names.set('mailinator.com', MX);
    dns.names.set('sub.mailinator.com', MX);
    for (const email of ['ada@mailinator.com', 'ada@sub.mailinator.com']) {
      expect(await verify(email)).toMatchObject({ result: 'risky', reason: 'disposable', checks: { ...GOOD, disposable: true } });
    }
  });

  test.each(['manual', 'hard_bounce', 'complaint', 'unsubscribe'])('an address that the project has suppressed: %s', async (reason) => {
    const email = `ada@${domainWith(MX)}`;
    await api().post('/v1/suppressions').send({ email, reason }).expect(201);
    const suppressed = { result: 'risky', reason: 'suppressed', checks: { ...GOOD, suppressed: true } };
    expect(await verify(email.toUpperCase())).toMatchObject(suppressed);
    expect(await verify(email, app.keys.test)).toMatchObject(suppressed);
    expect(await verify(email, app.otherKeys.secret)).toMatchObject({ result: 'deliverable', checks: GOOD });
    await api().delete(`/v1/suppressions/${email}`).expect(200);
    expect(await verify(email)).toMatchObject({ result: 'deliverable', checks: GOOD });
  });

  test('nothing that cannot be delivered at all', async () => {
    const domain = domainWith();
    await api()
      .post('/v1/suppressions')
      .send({ email: `info@${domain}` })
      .expect(201);
    expect(await verify(`info@${domain}`)).toMatchObject({
      result: 'undeliverable',
      reason: 'no_mail_server',
      checks: { ...GOOD, mx: false, role: true, suppressed: true },
    });
  });
});

test('a free provider is reported and no risk', async () => {
  dns.names.set('gmail.com', MX);
  expect(await verify('ada@gmail.com')).toMatchObject({ result: 'deliverable', suggestion: null, checks: { ...GOOD, freeProvider: true } });
});

describe('what was probably meant', () => {
  test('is reported with any verdict', async () => {
    dns.names.set('yahooo.com', MX);
    expect(await verify('Ada.Lovelace+x@Yahooo.com')).toMatchObject({
      email: 'ada.lovelace+x@yahooo.com',
      result: 'deliverable',
      suggestion: 'ada.lovelace+x@yahoo.com',
      checks: GOOD,
    });
    expect(await verify('ada@hotmial.con')).toMatchObject({ result: 'undeliverable', suggestion: 'ada@hotmail.com' });
  });

  test('is reported for texts that are no address too, where the rest is one', async () => {
    expect(await verify('ada@gmail')).toMatchObject({ reason: 'invalid_syntax', suggestion: 'ada@gmail.com' });
    expect(await verify('ada@gmail,com')).toMatchObject({ reason: 'invalid_syntax', suggestion: 'ada@gmail.com' });
    expect(await verify('a b@gmail')).toMatchObject({ reason: 'invalid_syntax', suggestion: null });
    expect(await verify('gmail')).toMatchObject({ reason: 'invalid_syntax', suggestion: null });
  });
});

test('a domain is asked for once for all its addresses; what is no address asks nothing', async () => {
  const domain = domainWith(MX);
  await Promise.all(['ada', 'grace', 'info'].map((local) => verify(`${local}@${domain}`)));
  await verify(`again@${domain}`);
  expect(dns.questions.filter((question) => question.endsWith(domain))).toEqual([`MX ${domain}`]);
  const before = dns.questions.length;
  await verify('ada@localhost');
  expect(dns.questions).toHaveLength(before);
});

test('the check of an address takes one text, and no public key', async () => {
  for (const [faulty, path, code] of [
    [{}, 'email', 'invalid_type'],
    [{ email: 7 }, 'email', 'invalid_type'],
    [{ email: 'a@b.test', other: 1 }, 'other', 'unrecognized_keys'],
  ] as const) {
    const answer = await api().post('/v1/verify').send(faulty).expect(422);
    expect(answer.body.details).toEqual([expect.objectContaining({ path, code })]);
  }
  await api(app.keys.public).post('/v1/verify').send({ email: 'ada@example.com' }).expect(401);
  await api(null).post('/v1/verify').send({ email: 'ada@example.com' }).expect(401);
});
