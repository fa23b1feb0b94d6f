import { encodedTexts } from '../../../src/mail/fixed-text';
import { excess } from '../../support/yardstick';

const core = `first =${'x'.repeat(300)}= last.`;

test('what stands around a text is left to those around it', () => {
  for (const around of ['', ' ', '=', '\r\n', '\u00e9', '\u{1f600}', ' =\t\u00e9\n']) {
    expect(encodedTexts([`${around}${core}${around}`]).map(({ text }) => text)).toEqual([core]);
  }
  expect(encodedTexts(['\u00e9 ='.repeat(200), ''])).toEqual([]);
});

test.each([' ', '=', '\u4e2d'])('a long run of %j within a text takes no time', async (run) => {
  expect(await excess(() => encodedTexts([`a${run.repeat(300_000)}b`]))).toBe(0);
});
