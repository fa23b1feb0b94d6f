import { parsedUrl } from '../../../src/rules/parsed-url';

test('letters beyond ASCII are taken however often URLs are parsed', () => {
  const hosts = Array.from({ length: 20_000 }, () => parsedUrl('https://bücher.example/ä')?.host);
  expect(new Set(hosts)).toEqual(new Set(['xn--bcher-kva.example']));
  expect(['', 'bücher', '//bücher.example', 'https://'].map(parsedUrl)).toEqual([null, null, null, null]);
});
