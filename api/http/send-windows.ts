import { z } from 'zod';
import { RECIPIENT } from '../../src/rules/send-windows';
import { isTimeZone } from '../../src/rules/zoned-time';
import { because, boundedArray, timezone } from './pieces';

const ZONE = 'The zone of the times (IANA), or `recipient`: that of each contact';
const FALLBACK = 'The time zone for contacts whose own is not known';
const DAYS = 'The weekdays on which a window opens; 1 = Monday';
const OPENS = 'When it opens, HH:MM';
const CLOSES = 'When it closes, HH:MM up to 24:00. A time that is not after `from` is on the next day';
const OUTSIDE = 'Whether a message outside of the window waits for the next opening, or is skipped';
const EXPIRES = 'A message that would wait longer is skipped';

const windowZone = z
  .string()
  .max(64, { abort: true })
  .refine(
    (zone) => zone === RECIPIENT || isTimeZone(zone),
    because('invalid_string', 'Neither `recipient` nor a time zone, such as Europe/Vienna'),
  );

/** When marketing mail may go out. */
export const SendWindows = z
  .strictObject({
    days: boundedArray(z.int().min(1).max(7), 1, 7)
      .default([1, 2, 3, 4, 5, 6, 7])
      .meta({ description: `${DAYS}; default all` }),
    from: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be HH:MM')
      .meta({ description: OPENS }),
    until: z
      .string()
      .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Must be HH:MM, at most 24:00')
      .meta({ description: CLOSES }),
    timezone: windowZone.default(RECIPIENT).meta({ description: ZONE }),
    fallback: timezone.default('UTC').meta({ description: FALLBACK }),
    outside: z.enum(['wait', 'skip']).default('wait').meta({ description: OUTSIDE }),
    expireAfter: z
      .strictObject({ amount: z.int().min(1).max(525_600), unit: z.enum(['minutes', 'hours', 'days']) })
      .optional()
      .meta({ description: EXPIRES }),
  })
  .meta({ id: 'SendWindows', description: 'When marketing mail may go out' });

export const ShownWindows = z
  .object({
    days: z.array(z.int()).readonly().meta({ description: DAYS }),
    from: z.string().meta({ description: OPENS }),
    until: z.string().meta({ description: CLOSES }),
    timezone: z.string().meta({ description: ZONE }),
    fallback: z.string().meta({ description: FALLBACK }),
    outside: z.enum(['wait', 'skip']).meta({ description: OUTSIDE }),
    expireAfter: z
      .object({ amount: z.int(), unit: z.enum(['minutes', 'hours', 'days']) })
      .optional()
      .meta({ description: EXPIRES }),
  })
  .meta({ id: 'ShownWindows', description: 'When marketing mail may go out' });
