import { z } from 'zod';
import { added, count, extended, optionalText, timestamp, wholeNumber } from '../http/pieces';
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

export const AudienceCount = z
  .object({ count })
  .meta({ id: 'AudienceCount', description: 'Subscribed contacts that are not suppressed: the audience of a send right now' });

export const AudienceBreakdown = z
  .object({
    named: count,
    count,
    leftOut: z.object({
      unsubscribed: count,
      suppressed: z.object({ hard_bounce: count, complaint: count, unsubscribe: count, manual: count }),
      topic: added(count.optional(), 'contacts who are not in the topic; present if a topic was given'),
    }),
  })
  .meta({ id: 'AudienceBreakdown' });

const language = optionalText.meta({ description: 'The language of the variant (BCP 47); null for the default content' });

export const CampaignCoverage = z
  .object({
    campaignId: z.string(),
    recipients: count.meta({ description: 'The number of contacts that a send would reach now' }),
    languages: z
      .array(
        z
          .object({
            language,
            recipients: count.meta({ description: 'Recipients that get this language' }),
            share: z.number().meta({ description: 'Their share of all recipients, from 0 to 1' }),
            missing: z.array(z.string()).readonly().meta({
              description:
                'What the default has and this language lacks, such as `previewText`, or a translation such as `t "greeting"`; for the default, translations that do not exist',
            }),
          })
          .meta({ id: 'CoveredLanguage', description: 'A language of a campaign, with the recipients that get it' }),
      )
      .readonly()
      .meta({ description: 'The default first, then each variant' }),
    locales: z
      .array(
        z
          .object({
            locale: optionalText.meta({ description: 'The `locale` of the contacts' }),
            recipients: count.meta({ description: 'Recipients with this locale' }),
            language,
          })
          .meta({ id: 'CoveredLocale', description: 'A locale of the audience, with the language that it gets' }),
      )
      .readonly()
      .meta({ description: 'The locales of the audience, most recipients first, at most 100' }),
    asOf: timestamp.meta({ description: 'When the audience was counted' }),
  })
  .meta({ id: 'CampaignCoverage', description: 'Which recipients of a campaign would get which language' });
