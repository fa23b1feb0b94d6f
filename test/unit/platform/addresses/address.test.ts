import { normalizeAddress, normalizeDomain, parseAddress } from '../../../../src/platform/addresses';

test.each([
  ['Ada@Example.COM', 'ada@example.com'],
  ["o'brien+tag@example.com", "o'brien+tag@example.com"],
  ['!#$%&*/=?^_`{|}~-@example.com', '!#$%&*/=?^_`{|}~-@example.com'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
  ['ada@例え。テスト', 'ada@xn--r8jz45g.xn--zckzah'],
  [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ['a@b.co', 'a@b.co'],
])('%s is stored as %s', (given, stored) => {
  expect(normalizeAddress(given)).toBe(stored);
});

test.each([
  ['', 'empty'],
  ['ada', 'no at sign'],
  ['@example.com', 'no local part'],
  ['ada@', 'no domain'],
  ['ada@localhost', 'one label'],
  ['ada@127.0.0.1', 'an IPv4 address'],
  ['ada@[127.0.0.1]', 'a literal'],
  ['a b@example.com', 'a space'],
  [' ada@example.com', 'space around'],
  ['Ada <ada@example.com>', 'a display name'],
  ['"ada"@example.com', 'a quoted local part'],
  ['.ada@example.com', 'a leading dot'],
  ['ada.@example.com', 'a trailing dot'],
  ['a..b@example.com', 'two dots'],
  ['a@b@example.com', 'two at signs'],
  ['adä@example.com', 'a local part outside ASCII'],
  ['ada@exa mple.com', 'a space in the domain'],
  ['ada@-example.com', 'a hyphen at the start of a label'],
  ['ada@example-.com', 'a hyphen at the end of a label'],
  ['ada@exa_mple.com', 'an underscore'],
  ['ada@ex%61mple.com', 'an escape'],
  ['ada@example..com', 'an empty label'],
  ['ada@example.com.', 'a root dot'],
  ['ada@example.com\r\nBcc: x@example.com', 'a header break'],
  ['ada@example.com\0', 'a NUL'],
  [`${'a'.repeat(65)}@example.com`, 'a long local part'],
  [`ada@${'a'.repeat(64)}.com`, 'a long label'],
  [`ada@${'a.'.repeat(130)}com`, 'a long domain'],
  [`ada@${`${'ü'.repeat(40)}.`.repeat(6)}com`, 'a domain that is long in ASCII'],
])('the address %j is refused: %s', (given) => {
  expect(normalizeAddress(given)).toBeNull();
});

test('an address keeps the case of its local part where that is asked for', () => {
  expect(parseAddress('Token-XyZ@Mail.Example.com')).toEqual({ local: 'Token-XyZ', domain: 'mail.example.com' });
});

test('a domain has two labels or more', () => {
  expect(normalizeDomain('Mail.Bücher.Example')).toBe('mail.xn--bcher-kva.example');
  expect(normalizeDomain('example')).toBeNull();
  expect(normalizeDomain('exa/mple.com')).toBeNull();
});
