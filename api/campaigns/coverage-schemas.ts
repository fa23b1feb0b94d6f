import { z } from 'zod';
import { count, optionalText, timestamp } from '../http/pieces';

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
