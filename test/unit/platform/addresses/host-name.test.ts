import { isOwnHost } from '../../../../src/platform/addresses';

const PUBLIC_URL = 'https://mail.example.net:8443';

test.each(['localhost', 'localhost:8233', '127.0.0.1:8233', '[::1]:8233', 'mail.example.net', 'mail.example.net:8443'])(
  '%s names this machine',
  (host) => {
    expect(isOwnHost(host, PUBLIC_URL)).toBe(true);
  },
);

test.each(['evil.test', 'localhost.evil.test:8233', 'mail.example.net.evil.test', '10.0.0.1', '', undefined])('%s does not', (host) => {
  expect(isOwnHost(host, PUBLIC_URL)).toBe(false);
});
