export { dkimSignature, generateDkimKeyPair, loadDkimKey } from './dkim';
export { judgeByKey } from './key-record';
export type { DkimKey } from './dkim';
export { claimsIn } from './signed-mail';
export type { Claim, OpenClaim } from './signed-mail';
