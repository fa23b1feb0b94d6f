import { directed } from '../../../../src/message/template';

test.each([
  ['<p>Hi</p>', '<div dir="rtl" lang="ar"><p>Hi</p></div>'],
  ['<html><body>Hi</body></html>', '<html dir="rtl" lang="ar"><body>Hi</body></html>'],
  ['<HTML class="a" lang="ar-EG">Hi', '<HTML dir="rtl" class="a" lang="ar-EG">Hi'],
  ['<body dir="ltr">Hi</body>', '<body dir="ltr">Hi</body>'],
  ['<html <body>Hi</body>', '<html <body dir="rtl" lang="ar">Hi</body>'],
])('%s says that it is written from right to left', (html, expected) => {
  expect(directed(html, 'ar')).toBe(expected);
});

test.each(['<html ', '<body\n'])('many of %j without an end are looked through in a moment', (tag) => {
  const began = performance.now();
  directed(tag.repeat(20_000), 'ar');
  expect(performance.now() - began).toBeLessThan(1_000);
});
