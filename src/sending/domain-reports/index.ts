export { readDomainReports } from './read';
export { removeOldDomainReports } from './sent-days';
export { reporterOf, storeDomainReport } from './store';
export type { Fate } from './store';
