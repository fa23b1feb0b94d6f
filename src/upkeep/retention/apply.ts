import { removeOldExecutions } from '../../marketing/automations';
import { contentsOfUnfinished, removeOldAudiences, withAudienceSince } from '../../marketing/campaigns';
import { removeOldNotes } from '../../audience/contacts';
import type { Core } from '../../platform/core';
import type { RetentionProgress, RetentionBatchInput } from '../../contracts/retention';
import { forgetLateContents, forgetOldContents, removeOldEmails, removeUnneeded } from '../../records/emails';
import type { Ages } from '../../records/emails';
import { removeOldEvents, talliedUpTo } from '../../records/events';
import { allProjects } from '../../records/projects';
import { removeOldDomainReports } from '../../sending/domain-reports';
import { removeOrphanedBlobs } from '../../sending/files';
import { removeOldDeliveries } from '../../sending/webhooks';
import { RetentionMarkModel } from './model';
import type { RetentionMark } from './model';

const DAY_MS = 86_400_000;
const TURN_MS = 20_000;
const PAGE = 1_000;

/** Removes a page. Resolves to how many rows it was; none means that none is left. */
type Step = (ages: Ages, core: Core) => Promise<number>;
type ProjectStep = (core: Core, projectId: string, ages: Ages) => Promise<number>;

/** Steps for all projects together, by age. */
const OF_ALL: readonly (readonly [name: string, step: Step])[] = [
  ['events', ({ rows }) => removeOldEvents(rows, PAGE)],
  ['executions', ({ rows }) => removeOldExecutions(rows, PAGE)],
  ['webhookDeliveries', ({ rows }) => removeOldDeliveries(rows, PAGE)],
  ['domainReports', ({ rows }) => removeOldDomainReports(rows, PAGE)],
  ['notes', ({ rows }) => removeOldNotes(rows, PAGE)],
  ['audiences', ({ rows, now }) => removeOldAudiences(rows, now, PAGE)],
  ['orphanedFiles', ({ now }, core) => removeOrphanedBlobs(core, now)],
  ['lateContents', (ages) => forgetLateContents(ages, PAGE)],
];

const emails: ProjectStep = async (_core, projectId, { rows }) =>
  removeOldEmails(projectId, rows, { after: await talliedUpTo(), campaigns: await withAudienceSince(projectId, rows) }, PAGE);

const oldContents: ProjectStep = async (_core, projectId, ages) => {
  const mark = await RetentionMarkModel.findById(projectId).lean<RetentionMark>();
  const reached = await forgetOldContents(projectId, ages, { at: mark?.at ?? new Date(0), id: mark?.emailId ?? '' }, PAGE);
  if (!reached) return 0;
  await RetentionMarkModel.updateOne({ _id: projectId }, { $set: { at: reached.at, emailId: reached.id } }, { upsert: true });
  return 1;
};

const unneeded: ProjectStep = (core, projectId, ages) =>
  removeUnneeded(projectId, ages, Math.max(...core.config.SMTP_RETRY_SECONDS) * 1_000, PAGE, (ids) => contentsOfUnfinished(projectId, ids));

/** Messages go before what they said is looked for: of what goes, nothing need be changed. */
const OF_PROJECT: readonly (readonly [name: string, step: ProjectStep])[] = [
  ['emails', emails],
  ['pagesOfContents', oldContents],
  ['unneededContents', unneeded],
];

/**
 * Removes data that is older than its retention in batches, and says where the next batch continues: first the steps for all
 * projects together, then project by project. Each step finds what exists: if it is killed, it is repeated, and removed rows are not found
 * again.
 */
export async function applyRetention(core: Core, { now, after }: RetentionBatchInput, signal: AbortSignal): Promise<RetentionProgress> {
  const deadline = performance.now() + TURN_MS;
  const isTimeUp = (): boolean => signal.aborted || performance.now() > deadline;
  const ages = agesAt(core, new Date(now));
  const counts: Record<string, number> = {};
  const exhaust = async (name: string, step: () => Promise<number>): Promise<void> => {
    for (let rows = 1; rows > 0 && !isTimeUp();) {
      rows = await step();
      counts[name] = (counts[name] ?? 0) + rows;
    }
  };
  if (after === null) for (const [name, step] of OF_ALL) await exhaust(name, () => step(ages, core));
  if (isTimeUp()) return { counts, next: { after } };
  let reached = after ?? '';
  for await (const { _id: projectId } of allProjects(reached)) {
    for (const [name, step] of OF_PROJECT) await exhaust(name, () => step(core, projectId, ages));
    if (isTimeUp()) return { counts, next: { after: reached } };
    reached = projectId;
  }
  return { counts };
}

/** Returns the ages; content is kept no longer than its message. */
function agesAt({ config: { RETENTION_DAYS, CONTENT_RETENTION_DAYS } }: Core, now: Date): Ages {
  const contentDays = Math.min(CONTENT_RETENTION_DAYS, RETENTION_DAYS);
  const before = (days: number): Date => new Date(now.getTime() - days * DAY_MS);
  return { now, rows: before(RETENTION_DAYS), contents: before(contentDays), contentDays };
}
