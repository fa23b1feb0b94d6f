import { removePage } from '../../platform/mongo';
import { DomainReportModel, SentDayModel } from './model';

/** Removes a page of a project's reports on days before an instant, and the counts of those days. */
export const removeOldDomainReports = async (projectId: string, before: Date, limit: number): Promise<number> =>
  (await removePage(DomainReportModel, { projectId, day: { $lt: before } }, limit, { projectId: 1, day: 1 })) +
  (await removePage(SentDayModel, { projectId, day: { $lt: before } }, limit, { projectId: 1, day: 1 }));
