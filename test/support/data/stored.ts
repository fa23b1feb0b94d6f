import type { QueryFilter, UpdateQuery } from 'mongoose';
import type { Model } from '../../../src/platform/mongo/model';
import { LimitModel } from '../../../src/platform/limits';
import { ContactErasureModel } from '../../../src/audience/contacts/erasures';
import { FieldChangeModel, FieldCountModel } from '../../../src/audience/contacts/field-model';
import { ContactModel } from '../../../src/audience/contacts/model';
import { ContactNoteModel } from '../../../src/audience/contacts/notes';
import { PersonLimitModel } from '../../../src/records/person-limits';
import { KeptTopicsModel } from '../../../src/audience/contacts/kept-topics';
import { ContactImportModel, ImportPieceModel } from '../../../src/audience/lists/import-model';
import { SegmentMemberModel, SegmentGuardModel } from '../../../src/audience/segments/member-model';
import { SegmentModel } from '../../../src/audience/segments/model';
import { AutomationCountsModel, EnrolmentGuardModel } from '../../../src/marketing/automations/counts';
import { ExecutionModel } from '../../../src/marketing/automations/execution-model';
import { AutomationModel } from '../../../src/marketing/automations/model';
import { FormHourModel, FormModel } from '../../../src/marketing/forms/model';
import { CampaignClickModel, CampaignLinkModel } from '../../../src/marketing/campaigns/link-model';
import { CampaignTurnModel } from '../../../src/marketing/campaigns/turn-model';
import { CampaignModel, CampaignRecipientModel } from '../../../src/marketing/campaigns/model';
import { CampaignPageModel } from '../../../src/marketing/campaigns/page-claims';
import { IdempotencyModel } from '../../../src/platform/idempotency';
import { OutboxModel } from '../../../src/platform/outbox';
import { UnderWayModel } from '../../../src/platform/outbox/under-way';
import { WakeModel } from '../../../src/platform/wake-ups';
import { ApprovalModel } from '../../../src/marketing/approvals/model';
import { ApprovalPayloadModel } from '../../../src/marketing/approvals/payload';
import { InvitationModel, PersonModel } from '../../../src/records/members/model';
import { PasskeyChallengeModel } from '../../../src/records/members/passkeys';
import { SsoAttemptModel } from '../../../src/records/single-sign-on/model';
import { AuditModel } from '../../../src/records/audit';
import { DeliveryCountModel, UsageModel } from '../../../src/records/billing/model';
import { ConsentEntryModel } from '../../../src/records/consent';
import { ConsoleLinkModel, ConsoleSessionModel } from '../../../src/records/console-sessions/model';
import { BlobModel, ContentModel } from '../../../src/records/emails/content-model';
import { CampaignClaimModel } from '../../../src/records/emails/claim-model';
import { HeldMailModel } from '../../../src/records/emails/held';
import { EmailModel } from '../../../src/records/emails/model';
import { ListenersModel } from '../../../src/records/events/listeners';
import { EventModel } from '../../../src/records/events/model';
import { NameTallyModel, TallyMarkModel } from '../../../src/records/events/tally';
import { CheckoutModel, PaymentNotificationModel, SubscriptionModel } from '../../../src/records/payments/model';
import { KeyRateModel } from '../../../src/records/projects/key-rates';
import { KeyUseModel } from '../../../src/records/projects/key-uses';
import { ProjectModel } from '../../../src/records/projects/model';
import { MailHourModel } from '../../../src/records/stats/count';
import { SmtpSessionModel } from '../../../src/records/smtp-sessions';
import { SuppressionModel } from '../../../src/records/suppressions/model';
import { RateBucketModel } from '../../../src/sending/accept/rate-model';
import { WorkerModel } from '../../../src/sending/deliver/lease-model';
import { DomainReportModel } from '../../../src/sending/domain-reports/model';
import { DomainModel } from '../../../src/sending/domains/model';
import { SavedBlocksModel } from '../../../src/sending/saved-blocks/model';
import { FileBlobModel, FileModel } from '../../../src/sending/files/model';
import { OptInModel } from '../../../src/sending/opt-in/model';
import { PauseModel } from '../../../src/sending/pause/model';
import { ProviderHoldModel } from '../../../src/sending/provider-holds/model';
import { RampDayModel, RampStateModel } from '../../../src/sending/ramps/model';
import { ProviderMeasureModel } from '../../../src/sending/provider-measures/model';
import { FenceModel } from '../../../src/sending/restore-fence/model';
import { TemplateModel, TemplateVersionModel } from '../../../src/sending/templates/model';
import { HitTrailModel } from '../../../src/sending/tracking/model';
import { DeliveryModel } from '../../../src/sending/webhooks/delivery-model';
import { WebhookModel } from '../../../src/sending/webhooks/model';
import { BacklogModel } from '../../../src/upkeep/backlog/model';
import { ErasureModel } from '../../../src/upkeep/erasure/model';
import { PartModel, SchemaModel } from '../../../src/upkeep/migrations/model';
import { RetentionMarkModel } from '../../../src/upkeep/retention/model';

/** The id of a row, or what fits the rows that are meant. */
type Which<Row> = string | QueryFilter<Row>;

/** Reads and writes the rows of a collection: to look at what the API does not show, and to make and to change what it does not let one make and change. */
class Stored<Row> {
  constructor(private readonly model: Model<Row>) {}

  /** The driver's own collection, which checks nothing. */
  get collection(): Model<Row>['collection'] {
    return this.model.collection;
  }

  /** Resolves to null also where there is no id. */
  one(which: Which<Row> | null | undefined): Promise<Row | null> {
    return this.model
      .findOne(filterOf(which ?? ''))
      .lean<Row>()
      .exec();
  }

  /** Resolves to one that has to be there. */
  async get(which: Which<Row> | null | undefined): Promise<Row> {
    const row = await this.one(which);
    if (!row) throw new Error(`Not stored: ${this.model.modelName} ${JSON.stringify(which)}`);
    return row;
  }

  all(filter: QueryFilter<Row> = {}, order: Readonly<Record<string, 1 | -1>> = {}): Promise<Row[]> {
    return this.model.find(filter).sort(order).lean<Row[]>().exec();
  }

  count(filter: QueryFilter<Row> = {}): Promise<number> {
    return this.model.countDocuments(filter).exec();
  }

  distinct(member: string, filter: QueryFilter<Row> = {}): Promise<string[]> {
    return this.model.distinct(member, filter).exec() as Promise<string[]>;
  }

  /** Changes members, or does what operators say; resolves to how many rows were meant. */
  async change(which: Which<Row>, change: UpdateQuery<Row>): Promise<number> {
    return (await this.model.updateOne(filterOf(which), change)).matchedCount;
  }

  async changeAll(filter: QueryFilter<Row>, change: UpdateQuery<Row>): Promise<number> {
    return (await this.model.updateMany(filter, change)).matchedCount;
  }

  async remove(which: Which<Row> = {}): Promise<void> {
    await this.model.deleteMany(filterOf(which));
  }

  async make(rows: Partial<Row> | readonly Partial<Row>[]): Promise<void> {
    await this.model.create(rows as never);
  }
}

const filterOf = <Row>(which: Which<Row>): QueryFilter<Row> => (typeof which === 'string' ? { _id: which } : which);

/** Direct access to the rows of the database. */
export const stored = {
  answers: new Stored(IdempotencyModel),
  approvals: new Stored(ApprovalModel),
  approvalPayloads: new Stored(ApprovalPayloadModel),
  audit: new Stored(AuditModel),
  automationCounts: new Stored(AutomationCountsModel),
  automations: new Stored(AutomationModel),
  backlogLease: new Stored(BacklogModel),
  blobs: new Stored(BlobModel),
  campaignClicks: new Stored(CampaignClickModel),
  campaignLinks: new Stored(CampaignLinkModel),
  campaignPages: new Stored(CampaignPageModel),
  campaignClaims: new Stored(CampaignClaimModel),
  campaigns: new Stored(CampaignModel),
  providerHolds: new Stored(ProviderHoldModel),
  ramps: new Stored(RampStateModel),
  rampDays: new Stored(RampDayModel),
  providerMeasures: new Stored(ProviderMeasureModel),
  checkouts: new Stored(CheckoutModel),
  consent: new Stored(ConsentEntryModel),
  consoleLinks: new Stored(ConsoleLinkModel),
  consoleSessions: new Stored(ConsoleSessionModel),
  contactErasures: new Stored(ContactErasureModel),
  contactNotes: new Stored(ContactNoteModel),
  contacts: new Stored(ContactModel),
  contents: new Stored(ContentModel),
  deliveries: new Stored(DeliveryModel),
  deliveryCounts: new Stored(DeliveryCountModel),
  domainReports: new Stored(DomainReportModel),
  domains: new Stored(DomainModel),
  emails: new Stored(EmailModel),
  enrolmentGuards: new Stored(EnrolmentGuardModel),
  erasures: new Stored(ErasureModel),
  events: new Stored(EventModel),
  executions: new Stored(ExecutionModel),
  fences: new Stored(FenceModel),
  fieldChanges: new Stored(FieldChangeModel),
  fields: new Stored(FieldCountModel),
  fileBlobs: new Stored(FileBlobModel),
  files: new Stored(FileModel),
  savedBlocks: new Stored(SavedBlocksModel),
  formHours: new Stored(FormHourModel),
  forms: new Stored(FormModel),
  keptTopics: new Stored(KeptTopicsModel),
  invitations: new Stored(InvitationModel),
  passkeyChallenges: new Stored(PasskeyChallengeModel),
  persons: new Stored(PersonModel),
  ssoAttempts: new Stored(SsoAttemptModel),
  personLimits: new Stored(PersonLimitModel),
  pauses: new Stored(PauseModel),
  heldMail: new Stored(HeldMailModel),
  hitTrails: new Stored(HitTrailModel),
  importPieces: new Stored(ImportPieceModel),
  imports: new Stored(ContactImportModel),
  keyRates: new Stored(KeyRateModel),
  keyUses: new Stored(KeyUseModel),
  listeners: new Stored(ListenersModel),
  mailHours: new Stored(MailHourModel),
  members: new Stored(SegmentMemberModel),
  nameTallies: new Stored(NameTallyModel),
  optIns: new Stored(OptInModel),
  outbox: new Stored(OutboxModel),
  parts: new Stored(PartModel),
  paymentNotifications: new Stored(PaymentNotificationModel),
  projects: new Stored(ProjectModel),
  limits: new Stored(LimitModel),
  rateBuckets: new Stored(RateBucketModel),
  recipients: new Stored(CampaignRecipientModel),
  retentionMarks: new Stored(RetentionMarkModel),
  schemas: new Stored(SchemaModel),
  segmentGuards: new Stored(SegmentGuardModel),
  segments: new Stored(SegmentModel),
  subscriptions: new Stored(SubscriptionModel),
  smtpSessions: new Stored(SmtpSessionModel),
  suppressions: new Stored(SuppressionModel),
  tallyMarks: new Stored(TallyMarkModel),
  turns: new Stored(CampaignTurnModel),
  templateVersions: new Stored(TemplateVersionModel),
  templates: new Stored(TemplateModel),
  underWay: new Stored(UnderWayModel),
  usage: new Stored(UsageModel),
  wakes: new Stored(WakeModel),
  webhooks: new Stored(WebhookModel),
  workers: new Stored(WorkerModel),
};
