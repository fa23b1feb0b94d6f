export { dkimSignature, generateDkimKeyPair, loadDkimKey } from './dkim';
export type { DkimKey } from './dkim';
