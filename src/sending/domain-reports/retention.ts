import { removePage } from '../../platform/mongo';
import { DomainReportModel, SentDayModel } from './model';

/** Removes a page of reports on days before an instant, and the counts of those days. */
export const removeOldDomainReports = async (before: Date, limit: number): Promise<number> =>
  (await removePage(DomainReportModel, { day: { $lt: before } }, limit, { day: 1 })) +
  (await removePage(SentDayModel, { day: { $lt: before } }, limit, { day: 1 }));
