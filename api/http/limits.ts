import { z } from 'zod';
import { LENGTH } from '../../src/rules/limits-of-mail';

const KEY = /^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,127}$/;

const key = z.string().regex(KEY, 'Letters, digits and _ . : / -, at most 128, beginning with a letter or a digit');

const length = z.string().regex(LENGTH, 'Must be a length of time like 90s, 30m, 24h, 7d or 2w');

export const sendOnce = z
  .strictObject({
    key: key.meta({ description: 'Names the message' }),
    within: length.optional().meta({ description: 'A length of time, such as `7d`, of up to 999 days. Default: forever' }),
  })
  .meta({ id: 'SendOnce', description: 'Each person gets a message of the key once, whichever way it is sent' });

export const throttle = z
  .strictObject({
    key: key.optional().meta({ description: 'Messages with the same key share a throttle. Default: all without a key share one' }),
    every: length.meta({ description: 'A length of time, such as `24h`, of up to 999 days' }),
  })
  .meta({ id: 'Throttle', description: 'Each person gets at most one message of the key within any such time' });

/** The same as it is shown. */
export const ShownSendOnce = z
  .object({
    key: z.string().meta({ description: 'Names the message' }),
    within: z.string().optional().meta({ description: 'A length of time, such as `7d`. Absent: forever' }),
  })
  .meta({ id: 'StoredSendOnce', description: 'The send-once key of a campaign' });
