export { forgetFactor, passFactor, takeAttempt, takeMailAttempt } from './factor';
export {
  csrfOf,
  endAllSessions,
  endSession,
  endSessionsOfPerson,
  isCsrfOf,
  isOpenSession,
  listSessions,
  makeLink,
  prepareLink,
  sessionIdOf,
  sessionOf,
  sessionsOfPerson,
  signInByKey,
  signInByLink,
  signInBySso,
  signInPerson,
  signOut,
  switchProject,
} from './service';
export type { SessionHolder, SignedIn } from './service';
