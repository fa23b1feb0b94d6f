import { asciiDomain } from '../../../src/rules/ascii-domain';

test.each([
  ['bücher', 'xn--bcher-kva'],
  ['BÜCHER', 'xn--bcher-kva'],
  ['bu\u0308cher.example', 'xn--bcher-kva.example'],
  ['@bücher.example', '@xn--bcher-kva.example'],
  ['ada@bücher.', 'ada@xn--bcher-kva.'],
  ['ada@shop.例え.テスト', 'ada@shop.xn--r8jz45g.xn--zckzah'],
  ['münchen@example.com', 'münchen@example.com'],
  ['Ada@Example.com', 'Ada@Example.com'],
  ['１２', '12'],
  ['José Müller', 'José Müller'],
  ['ü/x?y#z', 'ü/x?y#z'],
  ['ü:80', 'ü:80'],
  ['', ''],
])('%j is looked for as %j', (part, ascii) => {
  expect(asciiDomain(part)).toBe(ascii);
});
