import { z } from 'zod';
import { CAP_SOURCES } from '../../src/contracts/frequency-cap';
import { findMailTopics } from '../../src/audience/topics';
import { invalidRequest } from '../../src/platform/core';
import type { FrequencyCap } from '../../src/contracts/frequency-cap';
import { absent, holds, withMembers } from '../http/together';
import { once } from '../http/keys-and-repeats';
import { because, boundedArray, extended, id } from '../http/pieces';

const MOST_CAPS = 20;
const MOST_TOPICS = 100;
/** The largest amounts of a unit, for the window of a cap and for a wait. */
const [MOST_PER, MOST_WAIT] = [365, 30];

const span = (most: number) =>
  z.strictObject({ amount: z.int().min(1).max(most), unit: z.enum(['seconds', 'minutes', 'hours', 'days', 'weeks']) });

const appliesTo = z.strictObject({
  type: z.literal('marketing').optional().meta({ description: 'Other mail is never capped' }),
  topics: boundedArray(id, 1, MOST_TOPICS).optional().meta({ description: 'Default: mail of any topic and of none' }),
  sources: boundedArray(z.enum(CAP_SOURCES), 1, CAP_SOURCES.length)
    .optional()
    .meta({ description: '`transactional` is the API. Default: all of them' }),
});

const frequencyCap = z
  .strictObject({
    name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'Letters, digits, _ and -, at most 64'),
    max: z.int().min(1).max(100).meta({ description: 'Maximum messages per person in any window' }),
    per: span(MOST_PER).meta({ description: 'Length of the rolling window: at most 365 of the unit' }),
    appliesTo: appliesTo.optional().meta({ description: 'The marketing mail that the cap limits and counts. Default: all' }),
    whenReached: z
      .enum(['wait', 'skip'])
      .meta({ description: 'A message waits until the cap allows it, or is skipped as `limit_reached`' }),
    waitUpTo: span(MOST_WAIT)
      .optional()
      .meta({ description: 'With `wait`: a message that would wait longer is skipped. Default: 7 days; at most 30 of the unit' }),
  })
  .refine(({ whenReached, waitUpTo }) => whenReached === 'wait' || waitUpTo === undefined, {
    path: ['waitUpTo'],
    ...because('invalid_combination', 'Only a cap that waits has a longest wait'),
  })
  .meta({
    id: 'FrequencyCap',
    description: 'A bound on the marketing mail that a person gets',
    ...holds({ anyOf: [withMembers({ whenReached: { enum: ['wait'] } }), withMembers(absent('waitUpTo'))] }),
  });

const WORDS = 'The maximum number of marketing messages per person within any window. A cap counts from its first message on';

export const FrequencyCaps = extended(
  boundedArray(frequencyCap, 0, MOST_CAPS)
    .superRefine(...once('name', 'Each name can appear only once'))
    .optional(),
  `${WORDS}. Replaces all of them; an empty array removes them`,
);

const shownSpan = z.object({ amount: z.number(), unit: z.string() });

export const ShownCaps = z
  .array(
    z
      .object({
        name: z.string(),
        max: z.int().meta({ description: 'Maximum messages per person in any window' }),
        per: shownSpan.meta({ description: 'Length of the rolling window' }),
        appliesTo: z
          .object({
            type: z.string().optional(),
            topics: z.array(z.string()).readonly().optional().meta({ description: 'Absent: mail of any topic and of none' }),
            sources: z.array(z.string()).readonly().optional().meta({ description: 'Absent: all of them' }),
          })
          .optional()
          .meta({ description: 'The marketing mail that the cap limits and counts. Absent: all' }),
        whenReached: z.enum(['wait', 'skip']).meta({ description: 'A message waits until the cap allows it, or is skipped' }),
        waitUpTo: shownSpan.optional().meta({ description: 'A message that would wait longer is skipped. Absent: 7 days' }),
      })
      .meta({ id: 'StoredFrequencyCap', description: 'A bound on the marketing mail that a person gets' }),
  )
  .readonly()
  .meta({ description: WORDS });

/** Throws 422 when a cap names a topic that does not exist. */
export async function checkTopics(projectId: string, caps: readonly FrequencyCap[]): Promise<void> {
  const named = caps.flatMap(({ appliesTo }, at) =>
    (appliesTo?.topics ?? []).map((topicId, index) => ({ topicId, path: `frequencyCaps.${at}.appliesTo.topics.${index}` })),
  );
  const known = await findMailTopics(
    projectId,
    named.map(({ topicId }) => topicId),
  );
  const missing = named.filter(({ topicId }) => !known.has(topicId));
  if (missing.length > 0) throw invalidRequest(missing.map(({ path }) => ({ path, code: 'not_found', message: 'Topic not found' })));
}
