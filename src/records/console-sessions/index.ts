export { csrfOf, isCsrfOf, makeLink, sessionOf, signInByKey, signInByLink, signOut } from './service';
export type { SessionHolder, SignedIn } from './service';
