import { z } from 'zod';
import { TAG_NAME, TAG_VALUE, tagText } from '../../src/records/emails';
import { boundedArray, extended, fault } from '../http/pieces';

const MAX_TAGS = 10;

const tag = z.strictObject({
  name: z.string().regex(TAG_NAME, 'Letters, digits, _ and -, at most 64').meta({ description: 'What it says something of' }),
  value: z.string().regex(TAG_VALUE, 'Letters, digits and _ - . : /, at most 256').meta({ description: 'What it says' }),
});

/** Tags of a message, each name once; as they are stored. */
export const tags = extended(
  boundedArray(tag, 1, MAX_TAGS).transform((list, ctx) => {
    const names = list.map(({ name }) => name);
    names.forEach((name, index) => {
      if (names.indexOf(name) < index) fault(ctx, 'invalid_combination', 'The same name twice', [index, 'name']);
    });
    return list.map(tagText);
  }),
  'An extension of this implementation: up to 10 names with values, to find and count messages by',
);
