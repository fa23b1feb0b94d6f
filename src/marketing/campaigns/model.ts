import { Schema } from 'mongoose';
import { ARCHIVED_AT } from '../../platform/archive';
import type { Archivable } from '../../platform/archive';
import { model, rowSchema } from '../../platform/mongo';
import type { Variant } from '../../contracts/campaign';
import type { SendOnce } from '../../contracts/frequency-cap';
import type { SendWindows, Timing } from '../../contracts/send-windows';
import type { FeedContent, FeedSettings } from '../../rules/feed';
import type { LimitDetail } from '../../rules/person-limits';
import type { Schedule } from '../../rules/recurrence/schedule';
import type { RecipientState, RefusalDetail } from '../../rules/refusal';
import type { MailTopic } from '../../rules/topics';
import type { VariantResult } from '../../rules/ab-test';
import type { CampaignCounter } from '../../records/campaign-figures';
import type { Translations } from '../../rules/translations';
import type { ContentIds } from './contents';
import type { CampaignRollout } from './rollout';
import type { SeriesState } from './series';

const CAMPAIGN_STATUSES = ['draft', 'scheduled', 'sending', 'sent', 'cancelled'] as const;
const AUDIENCES = ['all', 'segment', 'filter'] as const;
const COUNTERS: readonly CampaignCounter[] = [
  ...(['delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'] as const),
  ...(['proxied', 'proxiedOpened', 'scanned'] as const),
];

/** Absent in a campaign that an earlier release made. */
type MachineCounter = 'proxied' | 'proxiedOpened' | 'scanned';

type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];
export type { CampaignCounter };

/** The phase of a sending campaign: waiting for its workflow, freezing its audience, or with a frozen audience. */
const PHASES = ['starting', 'freezing', 'frozen'] as const;

/** The fields that the author writes. */
export interface CampaignContent {
  readonly name: string;
  readonly subject: string;
  readonly previewText: string | null;
  /** HTML. */
  readonly body: string;
  readonly fromEmail: string;
  readonly fromName: string | null;
  /** The content in other languages; absent or null where it has none. */
  readonly variants?: Translations | null;
  readonly replyTo: string | null;
  readonly audience: (typeof AUDIENCES)[number];
  readonly segmentId: string | null;
  /** A condition tree as given. */
  readonly filter: Readonly<Record<string, unknown>> | null;
  /** Absent or null where it has none. Its default never changes, and it is not deleted before the campaign has ended. */
  readonly topic?: MailTopic | null;
  /** When it may go out; absent or null where the project's windows hold. */
  readonly windows?: SendWindows | null;
  readonly sendOnce?: SendOnce | null;
  readonly abSubjectB: string | null;
  readonly abSamplePct: number | null;
  /** Absent or null unless it recurs: then its text and audience are those of its turns. */
  readonly schedule?: Schedule | null;
  /** Whether each turn is only for those whom no turn before it has reached. Absent or false of any other campaign. */
  readonly evergreen?: boolean;
  /** The feed whose entries the turns of a recurring campaign send; absent or null where it has none. */
  readonly feed?: FeedSettings | null;
  /** The entries that a turn sends; its copies have them too. */
  readonly feedContent?: FeedContent;
}

/** A content that a campaign had until it was corrected while it was sending. */
export interface Revision extends Pick<CampaignContent, 'fromName' | 'replyTo'> {
  readonly contentIds: ContentIds;
  readonly until: Date;
}

/** A pause that a person made. */
export interface CampaignPause {
  readonly at: Date;
  /** Resumes the campaign automatically. */
  readonly until: Date | null;
  /** Whether deferred messages are still retried. */
  readonly retries: 'continue' | 'hold';
}

export interface Campaign extends CampaignContent, Archivable {
  /** JSON text of the editor's design, stored verbatim with any keys. */
  readonly bodyBlocks: string | null;
  readonly status: CampaignStatus;
  readonly testMode: boolean;
  readonly abDecideAt: Date | null;
  /** The winner is not decided while the campaign is paused; absent where it is decided on time. */
  readonly decide?: 'afterResume';
  readonly abWinner: Variant | null;
  readonly throttlePerMinute: number | null;
  readonly scheduledFor: Date | null;
  /** From its launch on, the steps in which it is sent; absent where all are sent to at once. */
  readonly rollout?: CampaignRollout;
  /** From its launch on, the rules for the send times of its recipients; absent if all are sent to at once. */
  readonly timing?: Timing;
  readonly startedAt: Date | null;
  readonly sentAt: Date | null;
  /** When its final counts were stored, after it was sent or cancelled. */
  readonly endedAt?: Date;
  /** When its audience was removed because of its age. */
  readonly audienceRemovedAt?: Date;
  readonly phase: (typeof PHASES)[number] | null;
  /** While its audience is being frozen: the last contact done. */
  readonly frozenTo?: string;
  readonly heldReason: string | null;
  /** Number of times that it was put on hold. */
  readonly holds?: number;
  /** The number of recipients that a person has approved; absent where nobody did. */
  readonly approvedFor?: number;
  /** Set while a person has paused it. */
  readonly paused?: CampaignPause;
  /** Recipients who wait because their provider refuses the campaign's mail, as the last check all of them found. */
  readonly refused?: readonly { readonly provider: string; readonly count: number }[];
  /** Stored when it was sent or scheduled. */
  readonly contentIds: ContentIds | null;
  /** The contents before this one, the first one first. */
  readonly revisions?: readonly Revision[];
  /** For a campaign to non-openers: the original campaign, and whether the segment is filled. */
  readonly resendOf: { readonly campaignId: string; readonly filled: boolean } | null;
  /** Set once a campaign with a schedule was started. */
  readonly series?: SeriesState;
  /** For the campaign of a turn: its series, its number from 1 on, and its instant. */
  readonly turn?: { readonly seriesId: string; readonly number: number; readonly at: Date; readonly evergreen?: true };
  /** Approximate number of recipients of a page, from its freeze on: pages are claimed by their start. */
  readonly pageRows?: number;
  /** Recipients frozen when sending began. */
  readonly audienceSize: number;
  readonly sentCount: number;
  readonly skippedCount: number;
  /** Live messages by counter; each message counts once. */
  readonly counters: Readonly<Record<Exclude<CampaignCounter, MachineCounter>, number> & Partial<Record<MachineCounter, number>>>;
  /** The counters that an experiment needs, by content, with tried messages; absent where nothing was counted. */
  readonly byContent?: Readonly<Record<string, Partial<VariantResult>>>;
  /** The results by which an experiment was decided. */
  readonly abResult?: { readonly at: Date; readonly a: VariantResult; readonly b: VariantResult };
  /** Grows with each change of a draft, so that a change applies to the version that it was checked against. */
  readonly version: number;
  readonly createdAt: Date;
}

const text = { type: String, default: null };
const date = { type: Date, default: null };
const count = { type: Number, default: 0 };

const campaignSchema = rowSchema<Campaign>(
  {
    _id: { type: String, required: true },
    projectId: { type: String, required: true },
    name: { type: String, required: true },
    subject: { type: String, default: '' },
    previewText: text,
    body: { type: String, default: '' },
    bodyBlocks: text,
    fromEmail: { type: String, required: true },
    fromName: text,
    variants: { type: Schema.Types.Mixed },
    replyTo: text,
    audience: { type: String, enum: AUDIENCES, required: true },
    segmentId: text,
    filter: { type: Schema.Types.Mixed, default: null },
    topic: { type: Schema.Types.Mixed },
    windows: { type: Schema.Types.Mixed },
    timing: { type: Schema.Types.Mixed },
    rollout: { type: Schema.Types.Mixed },
    sendOnce: { type: Schema.Types.Mixed },
    abSubjectB: text,
    abSamplePct: { type: Number, default: null },
    abDecideAt: date,
    decide: { type: String, enum: ['afterResume'] },
    abWinner: { type: String, enum: ['a', 'b', null], default: null },
    throttlePerMinute: { type: Number, default: null },
    status: { type: String, enum: CAMPAIGN_STATUSES, required: true },
    testMode: { type: Boolean, default: false },
    scheduledFor: date,
    startedAt: date,
    sentAt: date,
    endedAt: { type: Date },
    audienceRemovedAt: { type: Date },
    phase: { type: String, enum: [...PHASES, null], default: null },
    frozenTo: { type: String },
    pageRows: { type: Number },
    approvedFor: { type: Number },
    heldReason: text,
    holds: { type: Number },
    paused: { type: new Schema({ at: Date, until: date, retries: { type: String, enum: ['continue', 'hold'] } }, { _id: false }) },
    refused: { type: [Schema.Types.Mixed], default: undefined },
    revisions: { type: [Schema.Types.Mixed], default: undefined },
    contentIds: { type: Schema.Types.Mixed, default: null },
    resendOf: { type: Schema.Types.Mixed, default: null },
    schedule: { type: Schema.Types.Mixed },
    evergreen: { type: Boolean },
    feed: { type: Schema.Types.Mixed },
    feedContent: { type: Schema.Types.Mixed },
    series: { type: Schema.Types.Mixed },
    turn: { type: Schema.Types.Mixed },
    audienceSize: count,
    sentCount: count,
    skippedCount: count,
    counters: {
      type: new Schema(Object.fromEntries(COUNTERS.map((name) => [name, count])), { _id: false }),
      default: () => ({}),
    },
    byContent: { type: Schema.Types.Mixed },
    abResult: { type: Schema.Types.Mixed },
    version: { type: Number, default: 0 },
    createdAt: { type: Date, required: true },
    archivedAt: ARCHIVED_AT,
  },
  { minimize: false },
);
campaignSchema.index({ projectId: 1, createdAt: -1, _id: -1, name: 1, archivedAt: 1 }); // list a project's campaigns, newest first; a search by name or archive reads no others
campaignSchema.index({ projectId: 1, status: 1, createdAt: -1, _id: -1, name: 1, archivedAt: 1 }); // list campaigns by status, also by part of a name; find unfinished ones that use a segment or send from a domain
campaignSchema.index(
  { projectId: 1, startedAt: 1 },
  { partialFilterExpression: { startedAt: { $gt: new Date(0) }, audienceRemovedAt: null } },
); // retention: campaigns with the oldest audiences
campaignSchema.index({ startedAt: 1, _id: 1 }, { partialFilterExpression: { status: 'sending', startedAt: { $gt: new Date(0) } } }); // campaigns that are sending, of all projects, for the backlog
const AHEAD = { $gt: new Date(0) };
campaignSchema.index({ projectId: 1, scheduledFor: 1, _id: 1 }, { partialFilterExpression: { status: 'scheduled' } }); // scheduled campaigns, soonest first
campaignSchema.index(
  { projectId: 1, 'series.nextAt': 1, _id: 1 },
  { partialFilterExpression: { status: 'sending', 'series.nextAt': AHEAD } },
); // next turns of series
campaignSchema.index({ projectId: 1, abDecideAt: 1, _id: 1 }, { partialFilterExpression: { abDecideAt: AHEAD } }); // decisions of A/B tests
campaignSchema.index({ projectId: 1, 'paused.until': 1, _id: 1 }, { partialFilterExpression: { 'paused.until': AHEAD } }); // ends of pauses
campaignSchema.index(
  { projectId: 1, 'rollout.nextAt': 1, _id: 1 },
  { partialFilterExpression: { status: 'sending', 'rollout.nextAt': AHEAD } },
); // next steps of rollouts
campaignSchema.index({ projectId: 1, _id: 1 }, { partialFilterExpression: { status: 'sending', timing: { $exists: true } } }); // campaigns whose recipients have send times

export const CampaignModel = model<Campaign>('Campaign', campaignSchema, 'campaigns');

/** Facts by which a recipient was skipped. */
interface SkipFacts {
  readonly at: Date;
  readonly suppression: RecipientState['suppression'];
  readonly subscribed: boolean;
}

/** One contact of a frozen audience. Whether it was sent is stored with its message in the ledger, not here. */
export interface CampaignRecipient {
  /** `recipientIdOf`: the order of `_id` is a random order of the audience. */
  readonly _id: string;
  readonly projectId: string;
  readonly campaignId: string;
  readonly contactId: string;
  readonly email: string;
  readonly variant: Variant | 'hold' | null;
  readonly status: 'pending' | 'skipped';
  readonly skipReason: string | null;
  /** Set for a recipient who is not in the campaign's topic, pauses marketing mail, or has reached a limit. */
  readonly skipDetail?: RefusalDetail | LimitDetail;
  /** Set for a recipient that was skipped at its send time: the facts of that moment. */
  readonly judged?: SkipFacts;
  /** The id that the recipient's message has or would have. */
  readonly emailId: string;
  /** When the message may go; absent where it may at any time. It moves while the recipient's window is closed. */
  readonly turnAt?: Date;
  readonly createdAt: Date;
}

const recipientSchema = rowSchema<CampaignRecipient>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  campaignId: { type: String, required: true },
  contactId: { type: String, required: true },
  email: { type: String, required: true },
  variant: { type: String, enum: ['a', 'b', 'hold', null], default: null },
  status: { type: String, enum: ['pending', 'skipped'], required: true },
  skipReason: text,
  skipDetail: { type: Schema.Types.Mixed },
  judged: { type: Schema.Types.Mixed },
  emailId: { type: String, required: true },
  turnAt: { type: Date },
  createdAt: { type: Date, required: true },
});
// Pages, lists and recounts walk ranges of `_id`, which begin with the campaign.
recipientSchema.index({ campaignId: 1, _id: 1 }, { partialFilterExpression: { status: 'skipped' } }); // skipped recipients: list and count
recipientSchema.index({ campaignId: 1, turnAt: 1, _id: 1 }, { partialFilterExpression: { turnAt: { $exists: true } } }); // recipients by send time

export const CampaignRecipientModel = model<CampaignRecipient>('CampaignRecipient', recipientSchema, 'campaign_recipients');
