import { lackedIn } from '../../../../src/rules/blocks/warnings';

test.each(['background: #fff url(https://a.example/a.png)', 'background-image:url("a.png")', 'color: red; BACKGROUND : none, URL(a.png)'])(
  '%s is a background picture',
  (style) => {
    expect(lackedIn(`<td style='${style}'>`)).toEqual([expect.stringContaining('css-background-image')]);
  },
);

test.each(['background: #fff; content: url(a.png)', 'background: red} b{ list-style: url(a.png)'])('%s is none', (style) => {
  expect(lackedIn(`<style>a{ ${style} }</style>`)).toEqual([]);
});

test('many names without a value are looked through in a moment', () => {
  const began = performance.now();
  lackedIn('background:'.repeat(12_000));
  expect(performance.now() - began).toBeLessThan(1_000);
});
