import { removeOldExecutions } from '../../marketing/automations';
import { contentsOfUnfinished, removeOldAudiences, withAudienceSince } from '../../marketing/campaigns';
import { removeOldNotes } from '../../audience/contacts';
import { limitOf } from '../../platform/core';
import type { Core } from '../../platform/core';
import type { RetentionProgress, RetentionBatchInput } from '../../contracts/removals';
import { forgetLateContents, forgetOldContents, removeOldEmails, removeUnneeded } from '../../records/emails';
import type { Ages } from '../../records/emails';
import { removeOldEvents, talliedUpTo } from '../../records/events';
import { findProject, pagesOfProjects } from '../../records/projects';
import type { Project } from '../../records/projects';
import { removeOldDomainReports } from '../../sending/domain-reports';
import { removeOrphanedBlobs } from '../../sending/files';
import { removeOldDeliveries } from '../../sending/webhooks';
import { RetentionMarkModel } from './model';
import type { RetentionMark } from './model';

const DAY_MS = 86_400_000;
const TURN_MS = 20_000;
const PAGE = 1_000;
/** A project in which nothing is old is looked through this rarely: each step asks the database. */
const REST_MS = 6 * 3_600_000;

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
 * ages. Each step finds what exists: if it is killed, it is repeated, and removed rows are not found again. A project in which nothing was found rests for some hours.
 */
export async function applyRetention(core: Core, { now, after }: RetentionBatchInput, signal: AbortSignal): Promise<RetentionProgress> {
  const deadline = performance.now() + TURN_MS;
  const isTimeUp = (): boolean => signal.aborted || performance.now() > deadline;
  const counts: Record<string, number> = {};
  const exhaust = async (name: string, step: () => Promise<number>): Promise<number> => {
    let sum = 0;
    for (let rows = 1; rows > 0 && !isTimeUp(); sum += rows) rows = await step();
    counts[name] = (counts[name] ?? 0) + sum;
    return sum;
  };
  if (after === null) await exhaust('orphanedFiles', () => removeOrphanedBlobs(core, new Date(now)));
  let reached = after;
  for await (const projects of pagesOfProjects(reached ?? '')) {
    const resting = await restingAmong(core, projects, new Date(now));
    for (const project of projects) {
      if (!resting.has(project._id)) {
        const ages = agesAt(core, project, new Date(now));
        let found = 0;
        for (const [name, step] of STEPS) found += await exhaust(name, () => step(core, project._id, ages));
        if (isTimeUp()) return { counts, next: { after: reached } };
        if (found === 0) await rest(core, project, new Date(now));
      }
      reached = project._id;
    }
  }
  return { counts };
}

/** Finds the projects in which nothing was old, by the ages that hold now. */
async function restingAmong(core: Core, projects: readonly Project[], now: Date): Promise<ReadonlySet<string>> {
  const ages = new Map(projects.map((project) => [project._id, daysOf(core, project).join('/')]));
  const filter = { _id: { $in: [...ages.keys()] }, restsUntil: { $gt: now } };
  const rows = await RetentionMarkModel.find(filter, { ages: 1 }).lean<Pick<RetentionMark, '_id' | 'ages'>[]>();
  return new Set(rows.flatMap((row) => (row.ages === ages.get(row._id) ? [row._id] : [])));
}

/** Lets a project rest, unless it is being removed meanwhile: the mark would outlive it. */
async function rest(core: Core, project: Project, now: Date): Promise<void> {
  const current = await findProject(project._id);
  if (!current || current.removedAt) return;
  const $set = { restsUntil: new Date(now.getTime() + REST_MS), ages: daysOf(core, project).join('/') };
  await RetentionMarkModel.updateOne({ _id: project._id }, { $set, $setOnInsert: { at: new Date(0), emailId: '' } }, { upsert: true });
}

/** Returns for how many days a project's rows and their contents are kept; content no longer than its message. */
function daysOf({ config }: Core, project: Project): readonly [rows: number, contents: number] {
  const days = limitOf(config, project, 'retentionDays');
  return [days, Math.min(limitOf(config, project, 'contentRetentionDays'), days)];
}

function agesAt(core: Core, project: Project, now: Date): Ages {
  const [days, contentDays] = daysOf(core, project);
  const before = (age: number): Date => new Date(now.getTime() - age * DAY_MS);
  return { now, rows: before(days), contents: before(contentDays), contentDays };
}
