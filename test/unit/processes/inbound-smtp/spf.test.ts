import type { Dns } from '../../../../src/platform/dns';
import { checkSpf } from '../../../../src/processes/inbound-smtp/spf';

type Records = Readonly<Partial<Record<'TXT' | 'A' | 'AAAA' | 'MX' | 'PTR', readonly string[]>>> | 'unknown';

/** What DNS has, by name; exchangers in the order of their preference. */
function dnsWith(names: Readonly<Record<string, Records>>): Pick<Dns, 'records'> {
  return {
    records: (name, type) => {
      const known = names[name.toLowerCase()];
      if (known === 'unknown') return Promise.resolve({ said: 'unknown' });
      const found = known?.[type as 'TXT'] ?? [];
      const records = found.map((record, priority) =>
        type === 'TXT' ? [record] : type === 'MX' ? { exchange: record, priority } : record,
      );
      return Promise.resolve(records.length > 0 ? { said: 'found', records } : { said: 'none' });
    },
  };
}

const HOST = '192.0.2.7';
const HOST6 = '2001:db8::7';

interface Asked {
  readonly address?: string;
  readonly helo?: string;
  readonly envelopeFrom?: string;
}

async function ask(names: Readonly<Record<string, Records>>, asked: Asked = {}) {
  const { address = HOST, helo = 'mx.x.com', envelopeFrom = 'ada@x.com' } = asked;
  return checkSpf(dnsWith(names), { address, helo, envelopeFrom });
}

const OTHERS: Readonly<Record<string, Records>> = {
  'yes.com': { TXT: ['v=spf1 +all'] },
  'no.com': { TXT: ['v=spf1 -all'] },
  'perhaps.com': { TXT: ['v=spf1 ~all'] },
  'bad.com': { TXT: ['v=spf1 nonsense'] },
  'down.com': 'unknown',
  'here.com': { A: [HOST], AAAA: [HOST6], MX: ['mx.here.com'] },
  'mx.here.com': { A: ['192.0.2.1', HOST] },
  'near.com': { A: ['192.0.2.200'], AAAA: ['2001:db8:0:1::1'] },
  'many.com': { MX: Array.from({ length: 11 }, (_, index) => `mx${index}.many.com`) },
  '7.2.0.192.in-addr.arpa': { PTR: ['mx.here.com', 'forged.com'] },
  'forged.com': { A: ['192.0.2.1'] },
  '7.x.com': { A: ['127.0.0.2'] },
  'ada.x.com': { A: ['127.0.0.2'] },
  'a--lovelace.x.com': { A: ['127.0.0.2'] },
  'com.x': { A: ['127.0.0.2'] },
};

describe('a record', () => {
  test.each([
    ['', 'neutral'],
    ['-all', 'fail'],
    ['~all', 'softfail'],
    ['?all', 'neutral'],
    ['ALL', 'pass'],
    ['ip4:192.0.2.7 -all', 'pass'],
    ['ip4:192.0.2.0/24 -all', 'pass'],
    ['ip4:192.0.3.0/24 -all', 'fail'],
    ['ip4:0.0.0.0/0 -all', 'pass'],
    ['ip6:2001:db8::/32 -all', 'fail'],
    ['a:here.com -all', 'pass'],
    ['a:near.com -all', 'fail'],
    ['a:near.com/24 -all', 'pass'],
    ['a:near.com//64 -all', 'fail'],
    ['mx:here.com -all', 'pass'],
    ['mx:many.com -all', 'permerror'],
    ['ptr:here.com -all', 'pass'],
    ['ptr:forged.com -all', 'fail'],
    ['include:yes.com -all', 'pass'],
    ['include:no.com ?all', 'neutral'],
    ['include:perhaps.com -all', 'fail'],
    ['include:none.com', 'permerror'],
    ['include:bad.com', 'permerror'],
    ['include:down.com', 'temperror'],
    ['redirect=yes.com', 'pass'],
    ['redirect=none.com', 'permerror'],
    ['redirect=yes.com -all', 'fail'],
    ['exists:%{i1r}.%{d} -all', 'fail'],
    ['exists:%{i1}.%{d} -all', 'pass'],
    ['exists:%{l}.%{o} -all', 'pass'],
    ['exists:%{d1}.x -all', 'pass'],
    ['exists:%{p}.none.com -all', 'fail'],
    ['exp=why.%{d} -all', 'fail'],
    ['unknown=%{s} -all', 'fail'],
  ])('v=spf1 %s: %s', async (terms, result) => {
    expect((await ask({ ...OTHERS, 'x.com': { TXT: ['something else', `v=spf1 ${terms}`] } })).result).toBe(result);
  });

  test.each([
    'nonsense',
    'all:x.com',
    'ip4:192.0.2.7/33',
    'ip4:192.0.2.7/08',
    'ip4:192.0.2.777',
    'ip6:192.0.2.7',
    'ip6',
    'a:x.com/33',
    'a:/24',
    'a:nolabel',
    'include:',
    'include',
    'exists:%{z}.com',
    'exists:%{c}.com',
    'exists:%{d0}.com',
    'exists:%.com',
    'exp=a exp=b',
    'exp=why.%{d} exp=why.%{d}',
    'exp=',
    'redirect=yes.com redirect=yes.com',
    '9x=1',
    'x=%{z}',
    'naïve:x',
  ])('v=spf1 %s is none, even where what stands before it matches', async (terms) => {
    expect((await ask({ ...OTHERS, 'x.com': { TXT: [`v=spf1 +all ${terms}`] } })).result).toBe('permerror');
  });

  test('that is there twice is an error, and one of another version is none', async () => {
    expect((await ask({ 'x.com': { TXT: ['v=spf1 +all', 'v=spf1 -all'] } })).result).toBe('permerror');
    expect((await ask({ 'x.com': { TXT: ['v=spf10 +all'] } })).result).toBe('none');
  });

  test('that cannot be read now is no verdict', async () => {
    expect((await ask({ 'x.com': 'unknown' })).result).toBe('temperror');
  });
});

test('an address of IPv6, and one of IPv4 that came as one', async () => {
  const names = (terms: string) => ({ ...OTHERS, 'x.com': { TXT: [`v=spf1 ${terms} -all`] } });
  for (const terms of ['ip6:2001:db8::/32', 'a:here.com', 'a:near.com/1//32']) {
    expect((await ask(names(terms), { address: HOST6 })).result).toBe('pass');
  }
  expect((await ask(names('a:near.com//64'), { address: HOST6 })).result).toBe('fail');
  expect((await ask(names('ip4:192.0.2.7'), { address: `::ffff:${HOST}` })).result).toBe('pass');
  const digits = '2.0.0.1.0.d.b.8.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.7';
  const exists = { ...names('exists:%{i}.%{v}.x.com'), [`${digits}.ip6.x.com`]: { A: ['127.0.0.2'] } };
  expect((await ask(exists, { address: HOST6 })).result).toBe('pass');
});

test('the null sender is judged by what the host calls itself', async () => {
  const names = { 'mx.x.com': { TXT: ['v=spf1 exists:%{l}.found.com -all'] }, 'postmaster.found.com': { A: ['127.0.0.2'] } };
  expect(await ask(names, { envelopeFrom: '' })).toEqual({ result: 'pass', domain: 'mx.x.com' });
  for (const helo of ['', 'localhost', '[192.0.2.7]']) expect((await ask(names, { envelopeFrom: '', helo })).result).toBe('none');
});

test('at most ten terms ask DNS, and at most two of them for nothing', async () => {
  const nested = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`n${index}.com`, { TXT: [`v=spf1 include:n${index + 1}.com -all`] }] as const),
  );
  const chain = (length: number) => ({
    ...nested,
    [`n${length}.com`]: { TXT: ['v=spf1 +all'] },
    'x.com': { TXT: ['v=spf1 include:n1.com -all'] },
  });
  expect((await ask(chain(10))).result).toBe('pass');
  expect((await ask(chain(11))).result).toBe('permerror');
  expect((await ask({ 'x.com': { TXT: ['v=spf1 a:n.com a:m.com +all'] } })).result).toBe('pass');
  expect((await ask({ 'x.com': { TXT: ['v=spf1 a:n.com a:m.com a:o.com +all'] } })).result).toBe('permerror');
});

test('a name is filled in with parts of what is known, in any order', async () => {
  const asked = { envelopeFrom: 'ada-lovelace+news@x.com' };
  const exists = async (name: string, target: string) =>
    (await ask({ 'x.com': { TXT: [`v=spf1 exists:${name} -all`] }, [target]: { A: ['127.0.0.2'] } }, asked)).result;
  expect(await exists('%{lr-}.y.com', 'lovelace+news.ada.y.com')).toBe('pass');
  expect(await exists('%{l1r+-}.y.com', 'ada.y.com')).toBe('pass');
  expect(await exists('%{S}.y.com', 'ada-lovelace%2bnews%40x.com.y.com')).toBe('pass');
  expect(await exists('%{h}.%%%_%-.y.com', 'mx.x.com.% %20.y.com')).toBe('pass');
});

test('no record holds up the process', async () => {
  const long = `v=spf1 ${'exists:%{l}%{l}%{l}! '.repeat(3_000)}`;
  const before = process.cpuUsage();
  const results = [
    await ask({ 'x.com': { TXT: [`v=spf1 a:.${'a'.repeat(60_000)}!`] } }),
    await ask({ 'x.com': { TXT: [long] } }, { envelopeFrom: `${'a'.repeat(64)}@x.com` }),
  ];
  const { user, system } = process.cpuUsage(before);
  expect(results.map(({ result }) => result)).toEqual(['permerror', 'permerror']);
  expect((user + system) / 1_000).toBeLessThan(1_000);
});
