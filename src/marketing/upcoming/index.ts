import type { Context, PageRequest, Position } from '../../platform/core';
import type { Page } from '../../platform/mongo';
import { findContact } from '../../audience/contacts';
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
type UpcomingKind = (typeof UPCOMING_KINDS)[number];

interface Subjects {
  readonly contactId?: string | undefined;
  readonly campaignId?: string | undefined;
  readonly workflowId?: string | undefined;
}

/** Narrows the list to what has to do with all that are given. */
type UpcomingFilter = Subjects;

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
interface Source {
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

const SOURCES: readonly Source[] = [
  emails,
  ...(['campaign', 'campaign_turn', 'rollout_step', 'ab_decision', 'pause_end'] as const).map(campaignSource),
  recipients,
  snoozes,
  executions,
];

/** Sorts after all ids, as the database orders texts. */
const LAST_ID = '\uFFFF';

/**
 * Lists what will happen next, the soonest first; at the same instant by kind, then by id. Each source gives the first rows after the page, so what comes first
 * in all of them comes first of all. An entry that has happened when the next page is asked for is on none.
 */
export async function listUpcoming(
  ctx: Context,
  filter: UpcomingFilter,
  { limit, after }: PageRequest,
  now: Date = new Date(),
): Promise<Page<Upcoming>> {
  const found: Upcoming[] = [];
  // One after another: each is a query or two along an index, and one request should not take many of the pool's connections.
  for (const source of SOURCES.filter((each) => knowsAll(each, filter))) {
    const place = after && positionIn(source.kind, after);
    found.push(...(await source.read(ctx, filter, { limit: limit + 1, after: place }, now)));
  }
  const entries = found
    .filter((entry) => after === null || order(positionOf(entry), after) > 0)
    .sort((a, b) => order(positionOf(a), positionOf(b)));
  const rows = entries.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: entries.length > limit && last ? positionOf(last) : null };
}

const knowsAll = ({ knows }: Source, filter: UpcomingFilter): boolean =>
  (['contactId', 'campaignId', 'workflowId'] as const).every((name) => filter[name] === undefined || knows.includes(name));

const prefixOf = (kind: UpcomingKind): string => `${kind}/`;

const positionOf = ({ at, kind, id }: Upcoming): Position => ({ at, id: prefixOf(kind) + id });

const order = (a: Position, b: Position): number => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id));

/** Returns where a kind continues after a position in the list: at its instant, all of the kind may be before it, or none. */
function positionIn(kind: UpcomingKind, { at, id }: Position): Position {
  const prefix = prefixOf(kind);
  if (id.startsWith(prefix)) return { at, id: id.slice(prefix.length) };
  return { at, id: prefix < id ? LAST_ID : '' };
}
