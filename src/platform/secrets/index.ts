export { localCertificate, selfSigned } from './certificate';
export { SealedError, Secrets } from './secrets';
export type { MessagePurpose, SealedCollection, SealContext } from './secrets';
export { certificateIn, keyPairIn, privateKeyIn, readNamed } from './tls-files';
