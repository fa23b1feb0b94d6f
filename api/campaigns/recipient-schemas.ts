import { z } from 'zod';
import { count, extended, optionalText, timestamp, wholeNumber } from '../http/pieces';
import { skipDetail } from '../http/skip-detail';

export const RecipientQuery = z.object({
  status: z.enum(['pending', 'sent', 'skipped']).optional(),
});

export const CampaignRecipient = z
  .object({
    campaignRecipientId: z.string(),
    campaignId: z.string(),
    contactId: optionalText,
    email: z.string().meta({ format: 'email' }),
    emailId: optionalText,
    status: z.enum(['pending', 'sent', 'skipped']),
    skipReason: extended(optionalText, 'Why the recipient was skipped; null for the others'),
    skipDetail: extended(
      skipDetail.optional(),
      'Present if the recipient was not in the topic of the campaign, paused marketing mail, or had no open window',
    ),
    variant: z.enum(['a', 'b', 'hold']).nullable(),
    contentVersion: extended(count.nullable(), 'The content version of the message; null until there is a message'),
    language: extended(
      optionalText.optional(),
      'Present if the campaign has variants: the language of the message; null for the default, and until there is a message',
    ),
    createdAt: timestamp,
  })
  .meta({ id: 'CampaignRecipient' });

export const LinkQuery = z.object({
  version: wholeNumber(1, 1_000)
    .optional()
    .meta({ description: 'An extension of this implementation: only clicks in messages with this version of the content' }),
});

export const CampaignLink = z.object({ url: z.string(), clicks: count, uniqueClicks: count }).meta({ id: 'CampaignLink' });
