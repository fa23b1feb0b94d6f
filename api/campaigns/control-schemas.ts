import { z } from 'zod';
import {
  added,
  bodyText,
  emailAddress,
  instantAhead,
  optionalText,
  optionalTimestamp,
  personName,
  previewText,
  subject,
  timestamp,
} from '../http/pieces';
import { design } from '../http/design';
import { campaignVariantChanges } from '../http/variants';
import { forced, withReason } from './preflight-schemas';

const retries = z.enum(['continue', 'hold']).meta({
  description: '`continue` retries deferred messages while the campaign is paused; `hold` holds them until it resumes',
});

export const PauseCampaign = z.strictObject({
  until: instantAhead(1).optional().meta({ description: 'Resumes the campaign automatically' }),
  retries: retries.default('continue'),
});

export const ResumeCampaign = z.strictObject({
  missed: z.enum(['latest', 'skip']).optional().meta({
    description: 'For a recurring campaign: what to do with missed turns. Default `latest` if the campaign waits for an answer',
  }),
});

export const RescheduleCampaign = withReason(z.strictObject({ scheduledFor: instantAhead(0), ...forced }));

export const ReviseCampaign = z
  .strictObject({
    subject,
    previewText: previewText.nullable(),
    body: bodyText.meta({ description: 'HTML with placeholders' }),
    bodyBlocks: added(design.nullable(), "the visual editor's design of the corrected HTML, stored as given, never sent"),
    fromName: personName.nullable(),
    replyTo: emailAddress.nullable(),
    variants: campaignVariantChanges,
  })
  .partial()
  .refine((given) => Object.values(given).some((value) => value !== undefined), {
    params: { code: 'invalid_combination' },
    error: 'Give at least one member to correct',
  })
  .meta({ minProperties: 1 });

export const HeldProvider = z
  .object({
    provider: z.string().meta({ description: '`google`, `outlook`, `yahoo`, `apple`, or the registered domain of the mail exchanger' }),
    reply: z.string().meta({ description: 'The last reply' }),
    since: timestamp.meta({ description: 'When the hold began' }),
    refused: z.int().meta({ description: 'Messages of the project that it refused by its rules for senders' }),
    remaining: z.int().nullable().meta({ description: 'Recipients of this campaign who wait; null until all others are done' }),
    how: z.string().meta({ description: 'Recommended action, human-readable, such as records to publish' }),
    nextCheckAt: optionalTimestamp.meta({ description: 'When Lettermill checks next whether the provider accepts the mail' }),
  })
  .meta({ id: 'HeldProvider', description: 'A provider that refuses the mail of a sender' });

export const Paused = z
  .object({
    at: timestamp,
    until: optionalTimestamp.meta({ description: 'When it resumes automatically' }),
    retries,
    alsoHeld: optionalText.meta({ description: 'The reason for which it would be on hold if it were not paused' }),
  })
  .meta({ id: 'CampaignPause', description: 'The pause of a campaign' });
