import { z } from 'zod';
import { added, boundedArray, faultDetail, replay } from '../http/pieces';
import { skipDetail } from '../http/skip-detail';
import { unresolvedPlaceholders } from '../templates/schemas';
import { SendMessage } from './message';

/** 10 MiB: attachments travel in the body. */
export const SEND_BODY_LIMIT = 10 * 1024 * 1024;

export const MAX_MESSAGES = 1_000;

export const SendBatch = z.strictObject({ messages: boundedArray(SendMessage, 1, MAX_MESSAGES) });

const Accepted = z
  .object({
    id: z.string(),
    to: z.string().meta({ format: 'email' }),
    status: z.enum(['sent', 'scheduled', 'queued']),
    unresolvedPlaceholders,
  })
  .meta({ id: 'AcceptedRecipient', description: 'A message was created for this recipient' });

export const SkipReason = z.enum([
  'suppressed',
  'unsubscribed',
  'limit_reached',
  'reputation_paused',
  'disabled',
  'free_tier_exceeded',
  'plan_quota_exceeded',
]);

const Skipped = z
  .object({
    to: z.string().meta({ format: 'email' }),
    skipped: SkipReason,
    detail: added(
      skipDetail.optional(),
      'present if the recipient is `unsubscribed` from the topic of the message only, pauses marketing mail, or has reached a limit for this message',
    ),
  })
  .meta({ id: 'SkippedRecipient', description: 'No message was created for this recipient' });

const SendResult = z.union([Accepted, Skipped]).meta({ id: 'SendResult' });

const Failed = z
  .object({ error: z.object({ code: z.string(), message: z.string(), details: z.array(faultDetail).readonly().optional() }) })
  .meta({ id: 'FailedMessage', description: 'A message of a batch that was not accepted' });

const copyResults = {
  cc: added(z.array(SendResult).readonly().optional(), 'the outcomes of `cc`, if any'),
  bcc: added(z.array(SendResult).readonly().optional(), 'the outcomes of `bcc`, if any'),
};

const BatchEntry = z
  .union([
    Accepted.extend(copyResults).meta({ id: 'AcceptedMessage', description: 'The message of a batch was accepted' }),
    Skipped.extend(copyResults).meta({ id: 'SkippedMessage', description: 'The recipient of a message of a batch was skipped' }),
    z.object({ results: z.array(SendResult).readonly(), ...copyResults }),
    Failed,
  ])
  .meta({ id: 'BatchEntry', description: 'The outcome of the message at the same place; several results when its `to` is an array' });

export const SendResponse = z
  .object({ results: z.array(SendResult).readonly(), ...copyResults, testMode: z.boolean(), replay })
  .meta({ id: 'SendResponse' });

export const SendBatchResponse = z
  .object({ results: z.array(BatchEntry).readonly(), testMode: z.boolean(), replay })
  .meta({ id: 'SendBatchResponse' });
