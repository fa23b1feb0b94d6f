import type { Document, Filter } from 'mongodb';
import mongoose from 'mongoose';
import type { Core } from '../../platform/core';
import { removeOutsideContents } from '../../sending/files';

/** Returns the filter for the rows of a project in a collection. */
type Found = (projectId: string) => Filter<Document> | Promise<Filter<Document>>;

const PAGE = 1_000;
/** Number of parent rows in a query: each is a range in it. */
const FAMILIES = 50;

const rowsIn = (name: string) => mongoose.connection.collection(name);

const byProject: Found = (projectId) => ({ projectId });
const itself: Found = (projectId) => ({ _id: projectId as never });
/** Resolves to the filter of a row, and of those whose `_id` begins with it. */
const itselfAndStripes: Found = async (projectId) => ({ $or: [await itself(projectId), await beginning(projectId)] });
/** Returns the filter of rows whose `_id` begins with the project. */
const beginning: Found = (projectId) => ({ _id: { $gt: `${projectId}/`, $lt: `${projectId}0` } as never });
const byKeys: Found = async (projectId) => {
  const project = await rowsIn('projects').findOne({ _id: projectId as never }, { projection: { 'keys.hash': 1 } });
  const keys = (project?.['keys'] ?? []) as readonly { readonly hash: string }[];
  return { _id: { $in: keys.map(({ hash }) => hash) } };
};

/** Resolves to the filter of persons who are in no other project. */
const byMembers: Found = async (projectId) => {
  const project = await rowsIn('projects').findOne({ _id: projectId as never }, { projection: { 'members.personId': 1 } });
  const ids = ((project?.['members'] ?? []) as readonly { readonly personId: string }[]).map(({ personId }) => personId);
  const elsewhere = await rowsIn('projects').distinct('members.personId', {
    _id: { $ne: projectId as never },
    'members.personId': { $in: ids },
  });
  return { _id: { $in: ids.filter((id) => !elsewhere.includes(id)) as never[] } };
};

/** Returns the filter of rows whose `_id` begins with one of those. */
const within =
  (mark: string) =>
  (ids: readonly string[]): Filter<Document> => ({
    $or: ids.map((id) => ({ _id: { $gt: id + mark, $lt: id + String.fromCharCode(mark.charCodeAt(0) + 1) } as never })),
  });

const ofCampaigns = (ids: readonly string[]): Filter<Document> => ({ campaignId: { $in: [...ids] } });
/**
 * Returns the filter of intents, except those of the removal itself: they are carried out, and checked by the sweep until they are over.
 */
const inIntents: Found = (projectId) => ({ intent: { $regex: projectId, $not: /"workflow":"(project|campaign)Removal"/ } });

type Children = Readonly<Record<string, (ids: readonly string[]) => Filter<Document>>>;

/** Collections whose rows are found only by the rows of another one. */
const CHILDREN = {
  campaigns: {
    campaign_claims: ofCampaigns,
    campaign_pages: ofCampaigns,
    campaign_recipients: within('/'),
    campaign_clicks: within('/'),
    campaign_links: within('/'),
    campaign_turns: within('/'),
  },
  contact_imports: { contact_import_pieces: within(':') },
} as const satisfies Readonly<Record<string, Children>>;

type Step = readonly [collection: string, found: Found, children?: Children];

/**
 * All collections that hold anything of a project, in the order in which they are emptied of it: what rows are found by goes after them, and the project itself
 * last.
 */
export const OF_PROJECT: readonly Step[] = [
  ['outbox', inIntents],
  ['processes_under_way', inIntents],
  ['held_emails', byProject],
  ['emails', byProject],
  ['campaigns', byProject, CHILDREN.campaigns],
  ['contact_imports', byProject, CHILDREN.contact_imports],
  ['automation_executions', byProject],
  ['automation_guards', byProject],
  ['automation_counts', byProject],
  ['automation_graphs', byProject],
  ['automations', byProject],
  ['webhook_deliveries', byProject],
  ['webhooks', byProject],
  ['events', byProject],
  ['event_names', byProject],
  ['event_listeners', itselfAndStripes],
  ['segment_members', byProject],
  ['segment_guards', byProject],
  ['segment_count_changes', byProject],
  ['segment_removals', byProject],
  ['segments', byProject],
  ['topics', byProject],
  ['contact_notes', byProject],
  ['contact_erasures', byProject],
  ['contact_fields', byProject],
  ['contact_field_changes', byProject],
  ['contact_field_recounts', itself],
  ['contacts', byProject],
  ['forms', byProject],
  ['form_figures', byProject],
  ['form_hours', byProject],
  ['opt_ins', byProject],
  ['approvals', byProject],
  ['approval_payloads', byProject],
  ['smtp_sessions', byProject],
  ['consent_entries', byProject],
  ['consent_heads', byProject],
  ['kept_topics', byProject],
  ['person_limits', byProject],
  ['provider_holds', byProject],
  ['erasures', byProject],
  ['suppressions', byProject],
  ['domain_reports', byProject],
  ['domain_sent_days', byProject],
  ['domains', byProject],
  ['template_versions', byProject],
  ['templates', byProject],
  ['saved_blocks', byProject],
  ['translations', itself],
  ['files', byProject],
  ['file_blobs', byProject],
  ['contents', byProject],
  ['blobs', byProject],
  ['usage', beginning],
  ['delivery_counts', byProject],
  ['mail_hours', byProject],
  ['retention_marks', itself],
  ['rate_buckets', itself],
  ['subscriptions', byProject],
  ['checkouts', byProject],
  ['key_rates', byKeys],
  ['key_uses', byKeys],
  ['console_links', byProject],
  ['console_sessions', byProject],
  ['invitations', byProject],
  ['persons', byMembers],
];

/** Every collection that is emptied of a project. */
export const REMOVED: readonly string[] = OF_PROJECT.flatMap(([collection, , children = {}]) => [collection, ...Object.keys(children)]);

/** Collections that hold nothing of a project, or nothing that leads to it, with why. */
export const NOT_OF_PROJECT: Readonly<Record<string, string>> = {
  projects: 'the project itself goes last',
  project_removals: 'says that it was removed, for 90 days',
  audit: 'who changed what, by ids, for 400 days',
  idempotency: 'hashes, and answers that only the caller can open, for 24 hours',
  sso_attempts: 'hashes, for ten minutes',
  hit_trails: 'visits of the last minute, for two minutes',
  limits: 'hashes, for an hour',
  passkey_challenges: 'hashes, for five minutes',
  payment_notifications: 'ids of the payment provider, for 90 days',
  ramps: 'how far the ramps of transports are',
  ramp_days: 'counts of messages by transport, day and provider',
  provider_measures: 'replies of providers without addresses, for a week at most',
  event_tally: 'of all projects together',
  wakes: 'of pumps',
  workers: 'of processes',
  parts: 'of processes',
  backlog_lease: 'of processes',
  restore_fence: 'of the database',
  sending_pause: 'of the database',
  schema: 'of the database',
};

/** Returns whether other rows are found by the rows of a collection alone. */
export const hasChildren = ([, , children]: Step): boolean => children !== undefined;

/** Lets campaigns send no further page, and write down no further recipient. */
export const stopCampaigns = async (projectId: string): Promise<void> => {
  await rowsIn('campaigns').updateMany({ projectId, status: { $in: ['scheduled', 'sending'] } }, { $set: { status: 'cancelled' } });
};

/** Removes contents outside of MongoDB, which rows of a collection name. */
const OUTSIDE: Readonly<Record<string, (core: Pick<Core, 'config'>, ids: readonly string[]) => Promise<void>>> = {
  file_blobs: removeOutsideContents,
};

/** Removes a page of a project's rows of a collection, and before it what is found by them alone. Resolves to how many it was; none means that none is left. */
export async function removeFrom(core: Pick<Core, 'config'>, [collection, found, children = {}]: Step, projectId: string): Promise<number> {
  const filter = await found(projectId);
  const page = await pageOf(collection, filter, Object.keys(children).length > 0 ? FAMILIES : PAGE);
  if (page.length === 0) return 0;
  for (const [child, filterOf] of Object.entries(children)) {
    const rows = await pageOf(child, filterOf(page), PAGE);
    if (rows.length > 0) return remove(child, filterOf(page), rows);
  }
  await OUTSIDE[collection]?.(core, page);
  return remove(collection, filter, page);
}

const pageOf = async (collection: string, filter: Filter<Document>, limit: number): Promise<readonly string[]> =>
  (
    await rowsIn(collection)
      .find(filter, { projection: { _id: 1 }, limit })
      .toArray()
  ).map(({ _id }) => _id as unknown as string);

/** Removes rows of a page. Its filter is said again for shards, which know rows by their project, and the hint keeps the database from reading all of them. */
async function remove(collection: string, filter: Filter<Document>, ids: readonly string[]): Promise<number> {
  await rowsIn(collection).deleteMany({ $and: [filter, { _id: { $in: ids as never[] } }] }, { hint: '_id_' });
  return ids.length;
}
