import fc from 'fast-check';

/** Text with what mail trips over: blanks and dots in bad places, line breaks of all kinds, long words, halves of characters, other scripts. */
export const nastyText = (maxLength = 30): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.oneof(
      { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 3 }) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 2 }) },
      { weight: 3, arbitrary: fc.constantFrom(' ', '  ', '.', '\n.', '\r\n.\r\n', '\r', '\n', '\n\n\n', '\t\n', '=', '=3D', '--', '\0') },
      {
        weight: 2,
        arbitrary: fc.constantFrom('\ud83d', '\ude00', '👩‍👩‍👧', 'שלום', 'مرحبا', '\u202e', 'é', 'e\u0301', '日本語', '\u00a0', '\ufeff'),
      },
      { weight: 1, arbitrary: fc.constantFrom('<a href="x">', '&amp;', '"', "'", '</p>', '=?utf-8?Q?x?=') },
      { weight: 1, arbitrary: fc.integer({ min: 60, max: 1_200 }).map((length) => 'long'.repeat(length).slice(0, length)) },
    ),
    maxLength,
  });
