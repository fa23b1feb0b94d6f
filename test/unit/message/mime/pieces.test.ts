import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import * as encoding from '../../../../src/message/mime/pieces';
import { FixedText, textOf } from '../../../../src/message/mime/pieces';
import type { Piece, Pieces } from '../../../../src/message/mime/pieces';
import { MailBytes, MailScratch } from '../../../../src/message/mime/mail-bytes';
import { nastyText } from '../../../support/data/nasty-text';
import { excess } from '../../../support/checks/yardstick';

const HEAD = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n';

const scratch = new MailScratch();

function encodePieces(pieces: Pieces): string {
  const out = new MailBytes(scratch);
  encoding.encodePieces(pieces, out);
  return out.from(0);
}

/** What an independent parser reads; it drops the last line breaks. */
async function read(encoded: string): Promise<string> {
  const { text } = await simpleParser(Buffer.from(HEAD + encoded, 'latin1'), {
    skipTextToHtml: true,
  });
  return (text ?? '').replace(/\n+$/, '');
}

const asRead = (text: string): string =>
  Buffer.from(text)
    .toString()
    .replace(/\r\n|\r/g, '\n')
    .replaceAll('\0', '')
    .replace(/\n+$/, '');

function expectFitForMail(encoded: string): void {
  expect(encoded).not.toMatch(/[^\r\n\t -~]/);
  expect(encoded.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  for (const line of encoded.split('\r\n')) {
    expect(line.length).toBeLessThanOrEqual(76);
    expect(line).not.toMatch(/^\.|[ \t]$/);
  }
}

const cut = (text: string, at: readonly number[], isFixed: readonly boolean[]): Piece[] => {
  const places = [...at].map((place) => place % (text.length + 1)).sort((left, right) => left - right);
  return [...places, text.length].map((end, index) => {
    const piece = text.slice(places[index - 1] ?? 0, end);
    return isFixed[index % isFixed.length] ? new FixedText(piece) : piece;
  });
};

test('a reader gets the whole text, however it is cut into pieces', async () => {
  const places = fc.array(fc.nat(), { maxLength: 12 });
  const kinds = fc.array(fc.boolean(), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(nastyText(), places, kinds, async (text, at, isFixed) => {
      const pieces = cut(text, at, isFixed);
      expect(textOf(pieces)).toBe(text);
      const encoded = encodePieces(pieces);
      expectFitForMail(encoded);
      expect(await read(encoded)).toBe(asRead(text));
    }),
    { numRuns: 600 },
  );
});

test.each([
  ['CR and LF in two pieces are one line break', ['a\r', '\nb'], 'a\nb'],
  ['CR, NUL and LF are two', ['a\r', '\0', '\nb'], 'a\n\nb'],
  ['halves of a character are one', ['\ud83d', '\ude00'], '😀'],
  ['a half that stays alone is replaced', ['\ud83d', 'x'], '\ufffdx'],
  ['a CR at the end is a line break', ['a\r', ''], 'a'],
  ['blanks around a hole stay', ['Hello ', 'Ada', ' !'], 'Hello Ada !'],
  ['a dot after a full line stays', ['x'.repeat(75), '.'], `${'x'.repeat(75)}.`],
])('%s', async (_, pieces, text) => {
  for (const given of [pieces, pieces.map((piece) => new FixedText(piece))]) {
    const encoded = encodePieces(given);
    expectFitForMail(encoded);
    expect(await read(encoded)).toBe(text);
  }
});

test('a short piece stays in its line, a long one begins a line where it was encoded for', () => {
  const fixed = new FixedText('y'.repeat(100));
  expect(encodePieces([new FixedText('<p>'), 'Ada', new FixedText('</p>')])).toBe('<p>Ada</p>');
  expect(encodePieces(['Ada', fixed])).toBe(`Ada=\r\n${'y'.repeat(75)}=\r\n${'y'.repeat(25)}`);
  expect(encodePieces([fixed, 'z'.repeat(60)])).toBe(`${'y'.repeat(75)}=\r\n${'y'.repeat(25)}${'z'.repeat(50)}=\r\n${'z'.repeat(10)}`);
});

test.each(['\r', '\ud83d', ' ', '='])('a great many pieces that end in %j take no time', async (end) => {
  const pieces = Array.from({ length: 20_000 }, () => `${'x'.repeat(50)}${end}`);
  expect(await excess(() => encodePieces(pieces))).toBe(0);
});
