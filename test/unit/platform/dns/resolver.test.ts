import { createDns } from '../../../../src/platform/dns';
import type { Dns } from '../../../../src/platform/dns';
import { aNameServer } from '../../../support/servers/dns-server';

const server = aNameServer();
let dns: Dns;

beforeAll(async () => {
  dns = createDns(server.address);
});

beforeEach(() => {
  server.names.clear();
  server.questions.length = 0;
});

const LOOKS = ['txt', 'mx', 'cname', 'addresses'] as const;

test.each(LOOKS)(
  '%s: no name, a name without such records and what can be no name are none; failures and silence are unknown',
  async (look) => {
    server.names.set('empty.test', {});
    server.names.set('broken.test', 'servfail');
    server.names.set('closed.test', 'refused');
    server.names.set('silent.test', 'silence');
    const names = ['absent.test', 'empty.test', `${'a'.repeat(64)}.test`, 'broken.test', 'closed.test', 'silent.test'];
    const answers = await Promise.all(names.map((name) => dns[look](name)));
    expect(answers.map(({ said }) => said)).toEqual(['none', 'none', 'none', 'unknown', 'unknown', 'unknown']);
  },
);

test('texts come with their strings put together, also those that do not fit into a datagram', async () => {
  const long = ['v=DKIM1; ', 'k=rsa; p=', ...Array.from({ length: 8 }, () => 'A'.repeat(255))];
  server.names.set('d.test', { TXT: ['one', ['t', 'w', 'o']] });
  server.names.set('key.d.test', { TXT: [long] });
  expect(await dns.txt('d.test')).toEqual({ said: 'found', records: ['one', 'two'] });
  expect(await dns.txt('key.d.test')).toEqual({ said: 'found', records: [long.join('')] });
});

test('mail exchanges come most preferred first, in small letters; one without a host stays', async () => {
  server.names.set('d.test', {
    MX: [
      [20, 'B.d.test'],
      [10, 'a.D.test'],
    ],
  });
  server.names.set('none.test', { MX: [[0, '.']] });
  expect(await dns.mx('d.test')).toEqual({
    said: 'found',
    records: [
      { host: 'a.d.test', preference: 10 },
      { host: 'b.d.test', preference: 20 },
    ],
  });
  expect(await dns.mx('none.test')).toEqual({ said: 'found', records: [{ host: '', preference: 0 }] });
});

test('a pointer is what stands at the name', async () => {
  server.names.set('track.d.test', { CNAME: 'Track.Platform.test' });
  expect(await dns.cname('track.d.test')).toEqual({ said: 'found', records: ['track.platform.test'] });
});

test('addresses are of both kinds, and found where one kind is, even when the other fails', async () => {
  server.names.set('both.test', { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] });
  server.names.set('four.test', { A: ['192.0.2.1'] });
  expect(await dns.addresses('both.test')).toEqual({ said: 'found', records: ['192.0.2.1', '2001:db8::1'] });
  expect(await dns.addresses('four.test')).toEqual({ said: 'found', records: ['192.0.2.1'] });
});

test('a server may be given by its name, and may be away', async () => {
  server.names.set('d.test', { TXT: ['here'] });
  const port = server.address.split(':')[1] ?? '';
  expect(await createDns(`localhost:${port}`).txt('d.test')).toEqual({ said: 'found', records: ['here'] });
  expect(await createDns('there-is-no-such-host.invalid').txt('d.test')).toEqual({ said: 'unknown' });
  expect(await createDns('127.0.0.1:1').txt('d.test')).toEqual({ said: 'unknown' });
});

test('a name that no host could have is asked for too', async () => {
  const name = 'prvs=1 2/ada+news:%.d.test';
  server.names.set(name, { A: ['192.0.2.1'], TXT: [['one ', 'text']], MX: [[10, 'mx.d.test']] });
  server.names.set('broken/.test', 'servfail');
  server.names.set('silent/.test', 'silence');
  expect(await dns.records(name, 'A')).toEqual({ said: 'found', records: ['192.0.2.1'] });
  expect(await dns.records(name, 'TXT')).toEqual({ said: 'found', records: [['one ', 'text']] });
  expect(await dns.records(name, 'MX')).toEqual({ said: 'found', records: [{ exchange: 'mx.d.test', priority: 10 }] });
  const others = [
    dns.records(name, 'AAAA'),
    dns.records('no/.test', 'A'),
    dns.records('broken/.test', 'A'),
    dns.records('silent/.test', 'A'),
  ];
  expect((await Promise.all(others)).map(({ said }) => said)).toEqual(['none', 'none', 'unknown', 'unknown']);
});
