export { readDomainReports } from './read';
export { reporterOf, storeDomainReport, removeOldDomainReports } from './store';
export type { Fate } from './store';
