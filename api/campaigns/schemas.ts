import { z } from 'zod';
import { archivedQuery, shownArchivedAt } from '../http/archive';
import { ConditionTree } from '../http/conditions';
import {
  added,
  addedFilter,
  bodyText,
  count,
  emailAddress,
  extended,
  id,
  instantAhead,
  json,
  name,
  nameSearch,
  optionalSubject,
  optionalText,
  optionalTimestamp,
  personName,
  replay,
  previewText,
  subject,
  timestamp,
} from '../http/pieces';
import { design } from '../http/design';
import { ShownSendOnce, sendOnce } from '../http/limits';
import { ShownCampaignVariants, campaignVariantChanges, campaignVariants, testLanguage } from '../http/variants';
import { SendWindows, ShownWindows } from '../http/send-windows';
import { holds, withMembers } from '../http/together';
import { HeldProvider, Paused } from './control-schemas';
import { feed, shownFeed } from './feed-schemas';
import { forced, withReason } from './preflight-schemas';
import { ShownRollout } from './rollout-schemas';
import { Schedule, ShownSchedule, TurnOf, evergreen, shownEvergreen } from './schedule-schemas';

const audience = z.enum(['all', 'segment', 'filter']);
const content = {
  name,
  subject,
  body: bodyText.meta({ description: 'HTML with placeholders' }),
  fromEmail: emailAddress,
};

const options = {
  previewText: previewText.nullable().optional(),
  bodyBlocks: design.nullable().optional().meta({ description: "The visual editor's design: stored as given, never sent" }),
  fromName: personName.nullable().optional(),
  variants: campaignVariants,
  replyTo: emailAddress.nullable().optional(),
  segmentId: id.nullable().optional().meta({ description: 'Required when the audience is `segment`' }),
  filter: ConditionTree.nullable().optional().meta({ description: 'Required when the audience is `filter`' }),
  topicId: added(id.nullable().optional(), 'the topic of the campaign; contacts that are not in it are skipped. Null for none'),
  schedule: added(
    Schedule.nullable().optional(),
    'makes the campaign recurring. Sending it starts a series; each turn is a campaign of its own',
  ),
  evergreen,
  feed,
  windows: added(SendWindows.nullable().optional(), "when it may go out; null for the project's windows"),
  sendOnce: added(
    sendOnce.nullable().optional(),
    'recipients who have, or are about to get, a message of the key are skipped as `limit_reached`. Null for none',
  ),
  abSubjectB: optionalSubject.nullable().optional().meta({ description: 'Makes the campaign an A/B test; empty for none' }),
  abSamplePct: z
    .int()
    .min(1)
    .max(100)
    .nullable()
    .optional()
    .meta({ description: 'Percent of the audience that gets A or B first; default 20' }),
};

interface Targeted {
  readonly audience?: unknown;
  readonly segmentId?: unknown;
  readonly filter?: unknown;
}

const isObject = ({ value }: { readonly value: unknown }): boolean => typeof value === 'object' && value !== null;

/** Requires that an audience names what it is made of. */
const named = (kind: 'segment' | 'filter', field: 'segmentId' | 'filter') =>
  z.refine<Targeted>((value) => value.audience !== kind || (value[field] !== undefined && value[field] !== null), {
    path: [field],
    params: { code: 'invalid_combination' },
    error: `Required when the audience is ${kind}`,
    when: isObject,
  });

/** The same for the document. */
const AUDIENCES = holds({
  anyOf: [
    withMembers({ audience: { enum: ['all'] } }),
    withMembers({ audience: { enum: ['segment'] }, segmentId: { type: 'string' } }, ['audience', 'segmentId']),
    withMembers({ audience: { enum: ['filter'] }, filter: { not: { type: 'null' } } }, ['audience', 'filter']),
  ],
});

export const CreateCampaign = z
  .strictObject({ ...content, ...options, audience: audience.default('all') })
  .check(named('segment', 'segmentId'), named('filter', 'filter'))
  .meta(AUDIENCES);

/** The rest of the audience may be stored already: it is checked against the draft. */
export const UpdateCampaign = z
  .strictObject({ ...content, audience })
  .partial()
  .extend({ ...options, variants: campaignVariantChanges });

export const Audience = z
  .strictObject({ audience, segmentId: options.segmentId, filter: options.filter, topicId: options.topicId })
  .check(named('segment', 'segmentId'), named('filter', 'filter'))
  .meta(AUDIENCES);

export const ResendNonOpeners = withReason(
  z.strictObject({ subject: subject.optional(), scheduledFor: instantAhead(0).optional(), ...forced }),
);
export const TestSendCampaign = z.strictObject({
  to: emailAddress,
  language: testLanguage,
  abSubject: added(z.enum(['a', 'b']).optional(), 'the subject of an A/B test that the message has, in each language; default `a`'),
});

const MachineOpens = z
  .object({
    proxied: count.meta({ description: 'Messages whose images a proxy loaded ahead of the reader, as Apple Mail does' }),
    scanned: count.meta({ description: 'Messages that another machine opened or clicked' }),
    estimate: z
      .object({
        opened: count.meta({ description: 'Estimated opened messages, if readers behind a proxy open as often as all others' }),
        low: count.meta({ description: 'The lower end of the interval' }),
        high: count.meta({ description: 'The upper end of the interval' }),
        confidence: z.number().meta({ description: 'The share of such intervals that contain the true share of other readers' }),
      })
      .nullable()
      .meta({ description: 'Null if a proxy loaded the images of all delivered messages' }),
  })
  .meta({ id: 'MachineOpens', description: 'Opens and clicks by machines, and an estimate of the true opens' });

const status = z.enum(['draft', 'scheduled', 'sending', 'sent', 'cancelled']);

export const CampaignQuery = z.object({ status: addedFilter(status), search: nameSearch, archived: archivedQuery });

const shown = {
  campaignId: z.string(),
  projectId: z.string(),
  name: z.string(),
  subject: z.string(),
  previewText: optionalText,
  body: z.string(),
  bodyBlocks: design.nullable(),
  fromName: optionalText,
  fromEmail: z.string().meta({ format: 'email' }),
  replyTo: optionalText,
  variants: ShownCampaignVariants,
  status,
  heldReason: optionalText.meta({
    description:
      'Why a sending campaign is on hold. `provider_refuses`: recipients of one provider wait, others may get their message. `rollout_stopped`: the results of a step stopped the rollout; resume the campaign to continue',
  }),
  testMode: z.boolean(),
  audience,
  segmentId: optionalText,
  filter: json.nullable(),
  topicId: added(z.string().optional(), 'present if the campaign has a topic'),
  sendOnce: added(ShownSendOnce.optional(), 'present if the campaign has a send-once key'),
  abSubjectB: optionalText,
  abSamplePct: count.nullable(),
  abDecideAt: optionalTimestamp,
  abWinner: z.enum(['a', 'b']).nullable(),
  throttlePerMinute: count.nullable(),
  scheduledFor: optionalTimestamp,
  sentAt: optionalTimestamp,
  totalRecipients: count,
  delivered: count,
  opened: count,
  clicked: count,
  bounced: count,
  complained: count,
  unsubscribed: count,
  createdAt: timestamp,
  archivedAt: shownArchivedAt,
  machines: added(MachineOpens.optional(), 'present if machines opened messages. They are not in `opened` or `clicked`'),
  decide: extended(z.literal('afterResume').optional(), 'Present if the winner is not chosen while the campaign is paused'),
  paused: extended(Paused.optional(), 'While it is paused'),
  schedule: extended(ShownSchedule.optional(), 'Present if the campaign is recurring'),
  evergreen: shownEvergreen,
  feed: shownFeed,
  nextTurnAt: extended(
    optionalTimestamp.optional(),
    'Present once a recurring campaign is sent: the instant of its next turn; null if there is none',
  ),
  turns: extended(count.optional(), 'Present once a recurring campaign is sent: the number of turns so far, including skipped turns'),
  turnOf: extended(TurnOf.optional(), 'Present if the campaign is a turn of a recurring one'),
  windows: added(ShownWindows.optional(), 'present if the campaign has windows of its own'),
  localTime: added(
    z
      .object({
        at: z.string().meta({ description: 'The date and time of day' }),
        passed: z
          .enum(['now', 'nextDay', 'skip'])
          .meta({ description: 'What happens to recipients whose local time had already passed at the start' }),
        fallback: z.string().meta({ description: 'The time zone for recipients whose own is not known' }),
      })
      .optional()
      .meta({ id: 'LocalTimeLaunch', description: 'The local time at which each recipient gets it' }),
    'present if it is launched at a local time',
  ),
  rollout: added(ShownRollout.optional(), 'present if the campaign is sent in steps'),
  contentVersion: extended(count.optional(), 'The version that is sent, from 2 on; present once the content was corrected'),
};

export const Campaign = z.object(shown).meta({ id: 'Campaign' });
export const PausedCampaign = z
  .object({
    ...shown,
    sent: count.meta({ description: 'Recipients whose first attempt has ended' }),
    inFlight: count.meta({ description: 'Recipients whose first attempt is under way' }),
    remaining: count.meta({ description: 'Recipients whose message has not begun' }),
  })
  .meta({ id: 'PausedCampaign', description: 'A paused campaign, with the number of recipients that each state has' });
export const StartedCampaign = z.object({ ...shown, replay }).meta({ id: 'StartedCampaign' });

const VariantFigures = z.object({ sent: count, opened: count, clicked: count }).meta({ id: 'VariantFigures' });
const Variants = z.object({ a: VariantFigures, b: VariantFigures });

const Difference = z
  .object({ difference: z.number(), low: z.number(), high: z.number(), winner: z.enum(['a', 'b', 'none']) })
  .meta({ id: 'VariantDifference' });

const Comparison = z
  .object({
    decidedAt: optionalTimestamp,
    confidence: z.number(),
    sample: Variants,
    opens: Difference.nullable(),
    clicks: Difference.nullable(),
  })
  .meta({ id: 'VariantComparison' });

const VersionFigures = z
  .object({
    version: count.meta({ description: 'As `contentVersion` of recipients and e-mails' }),
    sent: count.meta({ description: 'Recipients whose message was attempted' }),
    opened: count,
    clicked: count,
    until: optionalTimestamp.meta({ description: 'When the next version replaced it; null for the current version' }),
  })
  .meta({ id: 'CampaignVersion', description: 'The results of a version of the content' });

const LaunchWarning = z
  .object({
    code: z.enum(['no_postal_address']).meta({ description: 'The kind of warning, for programs' }),
    message: z.string().meta({ description: 'Recommended action, human-readable' }),
  })
  .meta({ id: 'LaunchWarning', description: 'A note to read before you send' });

export const CampaignDetail = z
  .object({
    ...shown,
    estimatedAudience: count.nullable().meta({ description: 'Counted now for drafts and scheduled campaigns' }),
    sent: extended(count, 'Recipients whose message was attempted'),
    skipped: extended(count, 'Recipients that were skipped'),
    failed: extended(count, 'Messages that failed permanently, other than by a bounce'),
    deferred: extended(count, 'Messages that were deferred and will be retried'),
    bySubject: extended(Variants.nullable(), 'For an A/B test: the results of each subject'),
    comparison: extended(Comparison.nullable(), 'For an A/B test: the comparison of the variants'),
    heldProviders: extended(
      z.array(HeldProvider).readonly().optional(),
      'Present while providers refuse the mail of this sender by their rules for senders: recipients there wait, others get their message',
    ),
    nextAt: extended(optionalTimestamp, 'While recipients wait for their send time: the next one'),
    byVersion: extended(
      z.array(VersionFigures).readonly().nullable(),
      'Present once the content is corrected: the results of each version, in order',
    ),
    warnings: extended(z.array(LaunchWarning), 'For a draft: notes to read before you send it; empty if there are none'),
  })
  .meta({ id: 'CampaignDetail' });
