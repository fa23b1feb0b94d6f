import { encodedTexts } from '../../src/mail/fixed-text';

const core = `first =${'x'.repeat(300)}= last.`;

test('what stands around a text is left to those around it', () => {
  for (const around of ['', ' ', '=', '\r\n', '\u00e9', '\u{1f600}', ' =\t\u00e9\n']) {
    expect(encodedTexts([`${around}${core}${around}`]).map(({ text }) => text)).toEqual([core]);
  }
  expect(encodedTexts(['\u00e9 ='.repeat(200), ''])).toEqual([]);
});

test('a long run within a text takes no time', () => {
  const begun = process.cpuUsage();
  for (const run of [' ', '=', '\u4e2d']) expect(encodedTexts([`a${run.repeat(300_000)}b`])).toHaveLength(1);
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1_000).toBeLessThan(10_000);
});
