import { findContact } from '../../audience/contacts';
import type { Context, PageRequest, Position } from '../../platform/core';
import { listEmails } from '../../records/emails';
import { waitsAhead } from '../automations';
import { campaignInstants, recipientInstants } from '../campaigns';
import type { CampaignInstant } from '../campaigns';

export const UPCOMING_KINDS = [
  'email',
  'campaign',
  'campaign_turn',
  'campaign_recipients',
  'rollout_step',
  'ab_decision',
  'pause_end',
  'snooze_end',
  'execution',
] as const;
export type UpcomingKind = (typeof UPCOMING_KINDS)[number];

interface Subjects {
  readonly contactId?: string | undefined;
  readonly campaignId?: string | undefined;
  readonly workflowId?: string | undefined;
}

/** Narrows the list to what has to do with all that are given. */
export type UpcomingFilter = Subjects;

/** Something that will happen, and what it happens to. */
export interface Upcoming extends Subjects {
  readonly at: Date;
  readonly kind: UpcomingKind;
  /** Distinguishes it from others of its kind. */
  readonly id: string;
  readonly emailId?: string;
  readonly executionId?: string;
}

/** Reads what is ahead of one kind: the first ones after a position, as many as are asked for, in any order; more than those do no harm. */
export interface Source {
  readonly kind: UpcomingKind;
  /** The subjects that its entries have: it has nothing under a filter by others. */
  readonly knows: readonly (keyof Subjects)[];
  read(ctx: Context, filter: UpcomingFilter, request: PageRequest, now: Date): Promise<readonly Upcoming[]>;
}

const ofContact = (contactId: string | null | undefined) => (contactId == null ? {} : { contactId });
const ofWorkflow = (workflowId: string | null) => (workflowId === null ? {} : { workflowId });

const emails: Source = {
  kind: 'email',
  knows: ['contactId', 'workflowId'],
  async read(ctx, { contactId, workflowId }, request, now) {
    const { rows } = await listEmails(ctx, { status: 'scheduled', contactId, workflowId }, request, now);
    return rows.map((row) => ({
      at: row.scheduledFor ?? now,
      kind: 'email',
      id: row._id,
      emailId: row._id,
      ...ofContact(row.contactId),
      ...ofWorkflow(row.workflowId),
    }));
  },
};

const campaignSource = (kind: CampaignInstant): Source => ({
  kind,
  knows: ['campaignId'],
  read: async (ctx, { campaignId }, request, now) =>
    (await campaignInstants(ctx, kind, campaignId, request, now)).map((position) => ofCampaign(kind, position)),
});

const ofCampaign = (kind: UpcomingKind, { at, id }: Position): Upcoming => ({ at, kind, id, campaignId: id });

const recipients: Source = {
  kind: 'campaign_recipients',
  knows: ['campaignId', 'contactId'],
  read: async (ctx, { campaignId, contactId }, _request, now) =>
    (await recipientInstants(ctx, { campaignId, contactId }, now)).map((position) => ({
      ...ofCampaign('campaign_recipients', position),
      ...ofContact(contactId),
    })),
};

/** Only asked for a contact: what all contacts of a project do is no plan of the project. */
const snoozes: Source = {
  kind: 'snooze_end',
  knows: ['contactId'],
  async read({ projectId }, { contactId }, _request, now) {
    const until = contactId === undefined ? undefined : (await findContact(projectId, contactId))?.snoozedUntil;
    return contactId !== undefined && until && until > now ? [{ at: until, kind: 'snooze_end', id: contactId, contactId }] : [];
  },
};

const executions: Source = {
  kind: 'execution',
  knows: ['contactId', 'workflowId'],
  async read(ctx, { contactId, workflowId }, request, now) {
    const found = await waitsAhead(ctx, { contactId, automationId: workflowId }, request, now);
    return found.map(({ row, position: { at, id } }) => ({
      at,
      kind: 'execution',
      id,
      executionId: id,
      workflowId: row.automationId,
      ...ofContact(row.contactId),
    }));
  },
};

export const SOURCES: readonly Source[] = [
  emails,
  ...(['campaign', 'campaign_turn', 'rollout_step', 'ab_decision', 'pause_end'] as const).map(campaignSource),
  recipients,
  snoozes,
  executions,
];
