export { certificateOf, streamCertificate, campaignSource, automationSource } from './certificate';
export type { CertificateSource, Certified } from './certificate';
