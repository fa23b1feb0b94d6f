import { newTotpSecret, totpStepOf, totpUrl } from '../../../../src/records/members/factors';

/** `12345678901234567890`, the secret of RFC 6238, appendix B. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code of RFC 6238 at %i s is of its step', (seconds, code) => {
  expect(totpStepOf(SECRET, code, new Date(seconds * 1_000))).toBe(Math.floor(seconds / 30));
});

test.each([
  [-60, null],
  [-30, 1_999_999_980 / 30],
  [30, 1_999_999_980 / 30],
  [60, null],
])('a clock that is off by %i s finds step %p', (off, step) => {
  expect(totpStepOf(SECRET, '279037', new Date((1_999_999_980 + off) * 1_000))).toBe(step);
});

test('an authenticator app gets a secret of 160 bits, with the name of the account', () => {
  const secret = newTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(totpUrl(secret, 'ada@example.com')).toBe(
    `otpauth://totp/Lettermill:ada%40example.com?issuer=Lettermill&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  );
});
