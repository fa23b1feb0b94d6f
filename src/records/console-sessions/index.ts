export {
  csrfOf,
  endAllSessions,
  endSession,
  isCsrfOf,
  listSessions,
  makeLink,
  sessionOf,
  signInByKey,
  signInByLink,
  signOut,
} from './service';
export type { SessionHolder, SignedIn } from './service';
