import { FILE, SAVED_BLOCK, by } from './story-parts';
import type { StoryStep } from './story-parts';

/** A GIF of one pixel, of bytes that are ASCII. */
const DOT = 'GIF89a\u0001\0\u0001\0\0\0\0,\0\0\0\0\u0001\0\u0001\0\0\u0002\u0002D\u0001\0;';

/** Parts that mail is made of: pictures, saved blocks and translations. */
export const DESIGN: readonly StoryStep[] = [
  ['uploadFile', { query: { name: 'Dot' }, file: DOT }],
  ['listFiles', {}],
  ['getFile', by(FILE)],
  ['deleteFile', by(FILE)],
  [
    'createSavedBlock',
    {
      body: {
        name: 'Signature',
        blocks: [
          { kind: 'text', id: 'b1', lines: [{ spans: [{ text: 'See you soon, ' }, { field: 'data.advisor', fallback: 'your team' }] }] },
        ],
      },
    },
  ],
  ['listSavedBlocks', {}],
  ['getSavedBlock', by(SAVED_BLOCK)],
  ['updateSavedBlock', by(SAVED_BLOCK, { body: { name: 'Closing line' } })],
  ['deleteSavedBlock', by(SAVED_BLOCK)],
  [
    'replaceTranslations',
    {
      body: {
        translations: { greeting: { default: 'Hello', de: 'Hallo', 'de-AT': 'Servus' }, 'footer.thanks': { default: 'Thank you' } },
        version: 0,
      },
    },
  ],
  ['getTranslations', {}],
];
