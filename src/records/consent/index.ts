export { CONSENT_KINDS } from './model';
export type { ConsentEntry } from './model';
export { allConsent, consentOf, eraseConsent, hasConsent, keptIp, recordConsent, verifyConsent } from './service';
export type { Consent } from './service';
