export { alignmentOf, misalignmentOf } from './alignment';
export {
  dkimKeyFor,
  sendersIn,
  sendersOf,
  unverifiedText,
  ownersOf,
  projectReceivingAt,
  isTrackingHost,
  projectTrackedAt,
  isPublicDomain,
} from './lookups';
export { missingRecords } from './check';
export type { Domain } from './model';
export type { Owner, SenderHosts, Senders } from './lookups';
export { verifyDomain, checkInBackground, restartForgottenChecks } from './request';
export { dnsRecordsOf, verificationTokenOf, resealDkimKeys } from './row';
export { createDomain, deleteDomain, getDomain, listDomains, cancelWaiting, domainUsers } from './service';
