import { cutText } from '../../../src/rules/cut-text';

test.each([
  ['short', 10, 'short'],
  ['exactly ten', 7, 'exactly'],
  ['ab😀', 4, 'ab😀'],
  ['ab😀', 3, 'ab'],
  ['😀', 1, ''],
])('%j cut to %d is %j', (text, length, cut) => {
  expect(cutText(text, length)).toBe(cut);
});
