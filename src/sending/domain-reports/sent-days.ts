import type { Core } from '../../platform/core';
import { isDuplicate, removePage } from '../../platform/mongo';
import { sentBySenderDomain } from '../../records/emails';
import { bucketsOn } from '../../rules/time-buckets';
import { SentDayModel, DomainReportModel } from './model';
import type { SentDay } from './model';

/** Counts once what a project sent on a day that is over. A count that fails is logged: the next report on the day brings it. */
export async function noteSentDay({ log }: Pick<Core, 'log'>, projectId: string, day: Date, at: Date): Promise<void> {
  const end = bucketsOn(day, 'day', 1);
  const _id = `${projectId}/${day.toISOString()}`;
  try {
    if (end > at || (await SentDayModel.exists({ _id, projectId }))) return;
    await SentDayModel.collection.insertOne({ _id, projectId, day, domains: await sentBySenderDomain(projectId, day, end) });
  } catch (error) {
    if (!isDuplicate(error)) log.warn({ err: error }, 'A day of sent mail could not be counted for DMARC reports');
  }
}

/** Resolves to how many messages a domain sent on each day of a span, by the day's instant; days that were not counted are missing. */
export async function sentOnDays(projectId: string, domain: string, from: Date, to: Date): Promise<ReadonlyMap<number, number>> {
  const rows = await SentDayModel.find({ projectId, day: { $gte: from, $lt: to } }).lean<SentDay[]>();
  return new Map(rows.map(({ day, domains }) => [day.getTime(), domains.find((sent) => sent.domain === domain)?.sent ?? 0]));
}

/** Removes a page of a project's reports on days before an instant, and the counts of those days. */
export const removeOldDomainReports = async (projectId: string, before: Date, limit: number): Promise<number> =>
  (await removePage(DomainReportModel, { projectId, day: { $lt: before } }, limit, { projectId: 1, day: 1 })) +
  (await removePage(SentDayModel, { projectId, day: { $lt: before } }, limit, { projectId: 1, day: 1 }));
