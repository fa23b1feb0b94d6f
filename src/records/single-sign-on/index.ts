export { beginSso, finishSso } from './attempts';
export type { SsoRefusal } from './attempts';
export { placeOf } from './place';
export { providerLabel, providerSignOut } from './provider';
