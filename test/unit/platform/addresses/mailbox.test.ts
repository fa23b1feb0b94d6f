import { parseMailbox } from '../../../../src/platform/addresses';

test.each<[string, string | null]>([
  ['Ada Lovelace <Ada@Example.com>', 'Ada Lovelace'],
  ['Ada <ada@example.com>', 'Ada'],
  ['Ada<ada@example.com>', 'Ada'],
  ['<ada@example.com>', null],
  ['"" <ada@example.com>', null],
  ['"Lovelace, Ada" <ada@example.com>', 'Lovelace, Ada'],
  ['"Ada \\"Countess\\" Lovelace" <ada@example.com>', 'Ada "Countess" Lovelace'],
  ['"a\\\\b" <ada@example.com>', 'a\\b'],
  ['"Ada <x@example.org>" <ada@example.com>', 'Ada <x@example.org>'],
  ['Dr. Ada "von" Lovelace <ada@example.com>', 'Dr. Ada von Lovelace'],
  ['Ada  Lovelace <ada@example.com>', 'Ada Lovelace'],
  ['Zoë Grünwald <ada@example.com>', 'Zoë Grünwald'],
  ['山田 太郎 <ada@example.com>', '山田 太郎'],
  ['Ada 🚀 <ada@example.com>', 'Ada 🚀'],
  ['=?utf-8?q?Ada?= <ada@example.com>', '=?utf-8?q?Ada?='],
  [`${'a'.repeat(200)} <ada@example.com>`, 'a'.repeat(200)],
])('%s is read', (text, name) => {
  expect(parseMailbox(text)).toEqual({ email: 'ada@example.com', name });
});

test.each([
  ['', 'nothing'],
  ['ada@example.com', 'a bare address'],
  ['Ada', 'a bare name'],
  ['Ada <ada@example.com', 'no end'],
  ['Ada ada@example.com>', 'no beginning'],
  ['Ada <ada@example.com> ', 'something behind it'],
  ['Ada <ada@example.com>, Bob <bob@example.com>', 'a list'],
  ['Ada <ada@example.com, bob@example.com>', 'two addresses'],
  ['Ada <ada@example.com> <bob@example.com>', 'two angles'],
  ['Ada < ada@example.com >', 'spaces in the angle'],
  ['Ada <>', 'no address'],
  ['Ada <ada>', 'no domain'],
  ['Ada <@relay.example:ada@example.com>', 'a route'],
  ['Friends: ada@example.com;', 'a group'],
  ['Ada (Countess) <ada@example.com>', 'a comment'],
  ['Lovelace, Ada <ada@example.com>', 'a comma outside quotes'],
  ['ada@example.org <ada@example.com>', 'an address for a name, without quotes'],
  ['a:b <ada@example.com>', 'a colon'],
  ['"Ada <ada@example.com>', 'an open quote'],
  ['Ada" <ada@example.com>', 'a lone quote'],
  ['Ada\\ <ada@example.com>', 'an escape outside quotes'],
  ['Ada\r\nBcc: x@example.com <ada@example.com>', 'a header break'],
  ['"Ada\r\n Bcc: x@example.com" <ada@example.com>', 'a fold in quotes'],
  ['"Ada\\\nBcc: x@example.com" <ada@example.com>', 'an escaped line break'],
  ['Ada\n<ada@example.com>', 'a line break before the angle'],
  ['Ada <ada@example.com\r\n>', 'a line break in the angle'],
  ['Ada\0 <ada@example.com>', 'a NUL'],
  ['Ada\t<ada@example.com>', 'a tab'],
  ['Ada\u2028B <ada@example.com>', 'a line separator'],
  [`${'a'.repeat(201)} <ada@example.com>`, 'a long name'],
  [`Ada <${'a'.repeat(65)}@example.com>`, 'a long local part'],
])('%j is refused: %s', (text) => {
  expect(parseMailbox(text)).toBeNull();
});

test('a long hostile text is refused at once', () => {
  const began = performance.now();
  for (const text of ['"'.repeat(1e6), `${'"\\'.repeat(5e5)}<a@b.co>`, `${'a '.repeat(5e5)}<a@b.co>`, '<'.repeat(1e6)])
    expect(parseMailbox(text)).toBeNull();
  for (const text of [`${'"\\"'.repeat(200)}<a@b.co>`, `${'" '.repeat(301)}<a@b.co>`]) expect(parseMailbox(text)).toBeNull();
  expect(performance.now() - began).toBeLessThan(1_000);
});
