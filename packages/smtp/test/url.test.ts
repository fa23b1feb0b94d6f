import { isLoopback, parseSmtpUrl } from '../src/url';

test.each([
  ['smtp://mail.example.test:587', { host: 'mail.example.test', port: 587, implicitTls: false, tls: 'opportunistic', auth: null }],
  ['smtp://mail.example.test', { host: 'mail.example.test', port: 25, implicitTls: false, tls: 'opportunistic', auth: null }],
  ['smtps://mail.example.test/', { host: 'mail.example.test', port: 465, implicitTls: true, tls: 'required', auth: null }],
  ['smtps://h.test:4650/?tls=insecure', { host: 'h.test', port: 4650, implicitTls: true, tls: 'insecure', auth: null }],
  ['smtp://h.test:25?tls=off', { host: 'h.test', port: 25, implicitTls: false, tls: 'off', auth: null }],
  ['smtp://[::1]:2525/?tls=required', { host: '::1', port: 2525, implicitTls: false, tls: 'required', auth: null }],
  [
    'smtp://me%40x.test:p%3Aw%2F@h.test:25',
    { host: 'h.test', port: 25, implicitTls: false, tls: 'opportunistic', auth: { user: 'me@x.test', pass: 'p:w/' } },
  ],
  ['smtp://bücher.example:25', { host: 'xn--bcher-kva.example', port: 25, implicitTls: false, tls: 'opportunistic', auth: null }],
])('an SMTP URL gives its route: %s', (url, route) => {
  expect(parseSmtpUrl(url)).toEqual(route);
});

test.each([
  ['mail.example.test', 'not a URL'],
  ['http://mail.example.test', 'smtp:// or smtps://'],
  ['smtp://', 'host'],
  ['smtp://h.test/inbox', 'path'],
  ['smtp://h.test:0', 'port 0'],
  ['smtp://h.test/?tls=maybe', 'one of off'],
  ['smtp://h.test/?tls=off&tls=off', 'one of off'],
  ['smtp://h.test/?TLS=off', 'parameter'],
  ['smtps://h.test/?tls=off', 'tls=off'],
  ['smtp://hunter2@h.test', 'both'],
  ['smtp://a:%zz-hunter2@h.test', 'percent-encoding'],
])('an SMTP URL is refused: %s', (url, reason) => {
  expect(() => parseSmtpUrl(url)).toThrow(reason);
});

test.each(['smtp://user:hunter2@h.test/?tls=maybe', 'smtp://user:hunter2@h.test/x', 'smtp://user:hunter2@h.test:99999'])(
  'the error for %s does not repeat the password',
  (url) => {
    expect(() => parseSmtpUrl(url)).toThrow(/^(?!.*hunter2)/);
  },
);

test('hosts that are this machine are known', () => {
  expect(['localhost', '127.0.0.1', '127.9.9.9', '::1'].every(isLoopback)).toBe(true);
  expect(['127.example.test', '10.0.0.1', 'localhost.example.test'].some(isLoopback)).toBe(false);
});
