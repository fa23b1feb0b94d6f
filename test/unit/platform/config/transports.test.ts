import { loadConfig } from '../../../../src/platform/config/config';

const load = (value: unknown) => loadConfig({ TRANSPORTS: typeof value === 'string' ? value : JSON.stringify(value) }).TRANSPORTS;
const A = { name: 'a', url: 'smtp://user:secret-word@127.0.0.1:2525' };
const RAMP = { transport: 'a', perDay: [50], overflow: 'wait' };
const ROUTE = { use: [{ transport: 'a' }] };

test('transports and routes are read, with weight 1 and no fallback', () => {
  const direct = { name: 'b', url: 'direct:', sourceAddress: '192.0.2.7', hello: 'out7.example.com' };
  expect(load({ transports: [A, direct], routes: [{ ...ROUTE, provider: 'google', fallback: ['b', 'default'] }] })).toEqual({
    transports: [A, direct],
    routes: [{ use: [{ transport: 'a', weight: 1 }], provider: 'google', fallback: ['b', 'default'] }],
    rules: [],
    ramps: [],
  });
});

test('ramps are read, with days in UTC that all providers share', () => {
  const given = { transport: 'a', perDay: [50, 100], overflow: 'wait' };
  expect(load({ transports: [A], ramps: [given] })?.ramps).toEqual([{ ...given, perProvider: false, timezone: 'UTC' }]);
});

test.each<[string, unknown, RegExp]>([
  ['no JSON', '{secret-word', /must be JSON[^]*TRANSPORTS/],
  ['a name twice', { transports: [A, A], routes: [ROUTE] }, /“a” is listed twice[^]*transports\[1\]\.name/],
  ['the name of SMTP_URL', { transports: [{ ...A, name: 'default' }], routes: [ROUTE] }, /“default” is the transport of SMTP_URL/],
  [
    'a route to nowhere',
    { transports: [A], routes: [{ use: [{ transport: 'c' }] }] },
    /transport “c” does not exist[^]*routes\[0\]\.use\[0\]/,
  ],
  ['a fallback to nowhere', { transports: [A], routes: [{ ...ROUTE, fallback: ['c'] }] }, /transport “c” does not exist[^]*fallback\[0\]/],
  ['a weight of nothing', { transports: [A], routes: [{ use: [{ transport: 'a', weight: 0 }] }] }, /weight/],
  ['another URL', { transports: [{ ...A, url: 'http://secret-word' }], routes: [ROUTE] }, /must be smtp:\/\/, smtps:\/\/ or direct:/],
  ['a source that is no address', { transports: [{ ...A, sourceAddress: 'out.example.com' }], routes: [ROUTE] }, /must be an IP address/],
  ['a provider twice', { rules: [{ provider: 'google' }, { provider: 'google' }] }, /“google” is listed twice[^]*rules\[1\]/],
  ['a slow pattern', { rules: [{ provider: 'google', on: [{ reply: '(a+)+', do: 'hold' }] }] }, /must not repeat a group[^]*reply/],
  ['a suspension without end', { rules: [{ provider: 'google', on: [{ reply: 'a', do: 'suspend' }] }] }, /need forMinutes/],
  ['a rate of nothing', { rules: [{ provider: 'google', on: [{ reply: 'a', do: 'rate', forMinutes: 5 }] }] }, /needs perMinute/],
  [
    'a ramp of nothing',
    { transports: [A], ramps: [{ transport: 'c', perDay: [1], overflow: 'wait' }] },
    /transport “c” does not exist[^]*ramps\[0\]/,
  ],
  ['a ramp twice', { transports: [A], ramps: [RAMP, RAMP] }, /“a” is listed twice[^]*ramps\[1\]\.transport/],
  ['a ramp without days', { transports: [A], ramps: [{ ...RAMP, perDay: [] }] }, /perDay/],
  ['a day without mail', { transports: [A], ramps: [{ ...RAMP, perDay: [50, 0] }] }, /perDay\[1\]/],
  ['a zone that is none', { transports: [A], ramps: [{ ...RAMP, timezone: 'Mars/Base' }] }, /must be the name of a time zone[^]*timezone/],
  ['an overflow that is none', { transports: [A], ramps: [{ ...RAMP, overflow: 'drop' }] }, /overflow/],
  ['a word that is none', { transports: [A], routes: [{ ...ROUTE, campaign: 'x' }] }, /campaign/],
])('%s is refused, and nothing secret is repeated', (_, value, message) => {
  let said = '';
  try {
    load(value);
  } catch (error) {
    said = (error as Error).message;
  }
  expect(said).toMatch(message);
  expect(said).not.toContain('secret-word');
});
