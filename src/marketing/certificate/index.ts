export { certificateOf, streamCertificate } from './certificate';
export type { CertificateSource, Certified } from './certificate';
export { campaignSource } from './campaign';
export { automationSource } from './automation';
