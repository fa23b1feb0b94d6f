export { readDomainReports } from './read';
export type { DomainReports } from './read';
export { removeOldDomainReports } from './retention';
export { reporterOf, storeDomainReport } from './store';
export type { Fate } from './store';
