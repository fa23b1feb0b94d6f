import { hasDotSegments } from '../../../src/rules/parsed-url';

test.each([
  'https://a.example/users/../delete',
  'https://a.example/users/./delete',
  'https://a.example/users/..',
  'https://a.example/..',
  'https://a.example/users/%2e%2E/delete',
  'https://a.example/users/.%2e/delete',
  'https://a.example/users/%252e%252e/delete',
  'https://a.example/users/..%2f/delete',
  'https://a.example/users/..%5C../delete',
  String.raw`https://a.example/users\..\delete`,
  String.raw`https://a.example\..`,
])('%s has a dot segment', (url) => {
  expect(hasDotSegments(url)).toBe(true);
});

test.each([
  'https://a.example',
  'https://a.example/',
  'https://a.example/users/1/delete',
  'https://a.example/users/.../delete',
  'https://a.example/users/..a/delete',
  'https://a.example/users/a..b/.well-known/',
  'https://a.example/users/..%2Fa',
  'https://a.example/users/%E2%80%A5/delete',
  'https://a.example/users//delete',
  'https://a.example/users?path=/../x',
  'https://a.example/users#/../x',
  'https://..example/users',
])('%s has none', (url) => {
  expect(hasDotSegments(url)).toBe(false);
});

test('a long path is judged quickly', () => {
  const began = performance.now();
  expect(hasDotSegments(`https://a.example/${'%25'.repeat(100_000)}/${'../'.repeat(3)}`)).toBe(true);
  expect(performance.now() - began).toBeLessThan(2_000);
});
