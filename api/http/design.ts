import { z } from 'zod';

/** Not `z.record`, which leaves out a key named `__proto__`: what is stored as given keeps that too. */
const anyObject = z
  .custom<object>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    params: { code: 'invalid_type' },
    error: 'Must be a text, a list or an object',
  })
  .meta({ type: 'object', additionalProperties: {} });

/** The design of a visual editor, of any form. */
export const design = z.union([z.string(), z.array(z.unknown()), anyObject]);
