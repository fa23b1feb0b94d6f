import { removeOldExecutions } from '../../marketing/automations';
import { contentsOfUnfinished, removeOldAudiences, withAudienceSince } from '../../marketing/campaigns';
import { removeOldNotes } from '../../audience/contacts';
import { limitOf } from '../../platform/core';
import type { Core } from '../../platform/core';
import type { RetentionProgress, RetentionBatchInput } from '../../contracts/retention';
import { forgetLateContents, forgetOldContents, removeOldEmails, removeUnneeded } from '../../records/emails';
import type { Ages } from '../../records/emails';
import { removeOldEvents, talliedUpTo } from '../../records/events';
import { allProjects } from '../../records/projects';
import type { Project } from '../../records/projects';
import { removeOldDomainReports } from '../../sending/domain-reports';
import { removeOrphanedBlobs } from '../../sending/files';
import { removeOldDeliveries } from '../../sending/webhooks';
import { RetentionMarkModel } from './model';
import type { RetentionMark } from './model';

const DAY_MS = 86_400_000;
const TURN_MS = 20_000;
const PAGE = 1_000;

/** Removes a page of a project. Resolves to how many rows it was; none means that none is left. */
type Step = (core: Core, projectId: string, ages: Ages) => Promise<number>;

const emails: Step = async (_core, projectId, { rows }) =>
  removeOldEmails(projectId, rows, { after: await talliedUpTo(), campaigns: await withAudienceSince(projectId, rows) }, PAGE);

const oldContents: Step = async (_core, projectId, ages) => {
  const mark = await RetentionMarkModel.findById(projectId).lean<RetentionMark>();
  const reached = await forgetOldContents(projectId, ages, { at: mark?.at ?? new Date(0), id: mark?.emailId ?? '' }, PAGE);
  if (!reached) return 0;
  await RetentionMarkModel.updateOne({ _id: projectId }, { $set: { at: reached.at, emailId: reached.id } }, { upsert: true });
  return 1;
};

const unneeded: Step = (core, projectId, ages) =>
  removeUnneeded(projectId, ages, Math.max(...core.config.SMTP_RETRY_SECONDS) * 1_000, PAGE, (ids) => contentsOfUnfinished(projectId, ids));

/** Messages go before what they said is looked for: of what goes, nothing need be changed. */
const STEPS: readonly (readonly [name: string, step: Step])[] = [
  ['events', (_core, projectId, { rows }) => removeOldEvents(projectId, rows, PAGE)],
  ['executions', (_core, projectId, { rows }) => removeOldExecutions(projectId, rows, PAGE)],
  ['webhookDeliveries', (_core, projectId, { rows }) => removeOldDeliveries(projectId, rows, PAGE)],
  ['domainReports', (_core, projectId, { rows }) => removeOldDomainReports(projectId, rows, PAGE)],
  ['notes', (_core, projectId, { rows }) => removeOldNotes(projectId, rows, PAGE)],
  ['audiences', (_core, projectId, { rows, now }) => removeOldAudiences(projectId, rows, now, PAGE)],
  ['emails', emails],
  ['lateContents', (_core, projectId, ages) => forgetLateContents(projectId, ages, PAGE)],
  ['pagesOfContents', oldContents],
  ['unneededContents', unneeded],
];

/**
 * Removes data that is older than its retention in batches, and says where the next batch continues: project by project, each by its own
 * ages. Each step finds what exists: if it is killed, it is repeated, and removed rows are not found again.
 */
export async function applyRetention(core: Core, { now, after }: RetentionBatchInput, signal: AbortSignal): Promise<RetentionProgress> {
  const deadline = performance.now() + TURN_MS;
  const isTimeUp = (): boolean => signal.aborted || performance.now() > deadline;
  const counts: Record<string, number> = {};
  const exhaust = async (name: string, step: () => Promise<number>): Promise<void> => {
    for (let rows = 1; rows > 0 && !isTimeUp();) {
      rows = await step();
      counts[name] = (counts[name] ?? 0) + rows;
    }
  };
  if (after === null) await exhaust('orphanedFiles', () => removeOrphanedBlobs(core, new Date(now)));
  let reached = after;
  for await (const project of allProjects(reached ?? '')) {
    const ages = agesAt(core, project, new Date(now));
    for (const [name, step] of STEPS) await exhaust(name, () => step(core, project._id, ages));
    if (isTimeUp()) return { counts, next: { after: reached } };
    reached = project._id;
  }
  return { counts };
}

/** Returns the ages of a project's data; content is kept no longer than its message. */
function agesAt({ config }: Core, project: Project, now: Date): Ages {
  const days = limitOf(config, project, 'retentionDays');
  const contentDays = Math.min(limitOf(config, project, 'contentRetentionDays'), days);
  const before = (age: number): Date => new Date(now.getTime() - age * DAY_MS);
  return { now, rows: before(days), contents: before(contentDays), contentDays };
}
