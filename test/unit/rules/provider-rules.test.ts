import { matcherOf, patternFault } from '../../../src/rules/provider-rules';

test.each([
  '4\\.7\\.0',
  '^421 (4\\.7\\.0|4\\.7\\.28)\\b',
  'rate.?limited|too many',
  '(?:TSS0[4-9]|S3150)',
  'temporarily .* volume',
  '\\d{3} [^ ]+ busy',
])('%s may be used', (pattern) => expect(patternFault(pattern)).toBeNull());

test.each([
  ['(a+)+$', /repeat a group/],
  ['(a|a)*', /repeat a group/],
  ['(a?){20}', /repeat a group/],
  ['(?:a|b){2,}', /repeat a group/],
  ['.*a.*b.*', /no more than 2/],
  ['a?a?a?a?a?aaaaa', /no more than 4/],
  ['(a)\\1', /refer to groups/],
  ['(?<x>a)\\k<x>', /refer to groups|look/],
  ['(?=a)', /look ahead/],
  ['(?<!a)b', /look ahead/],
  ['(', /regular expression/],
  ['a'.repeat(201), /longer than 200/],
])('%s may not', (pattern, fault) => expect(patternFault(pattern)).toMatch(fault));

test('the slowest of what may be used is quick', () => {
  const matches = matcherOf('a.*a.*[^a]b$');
  const begun = performance.now();
  expect(matches('a'.repeat(100_000))).toBe(false);
  expect(performance.now() - begun).toBeLessThan(2_000);
});

test('letters match in any case', () => {
  expect(matcherOf('rate limit')('421 4.7.0 Rate Limit exceeded')).toBe(true);
});
