export { forgetFactor, passFactor } from './factor';
export {
  csrfOf,
  endAllSessions,
  endSession,
  endSessionsOfPerson,
  isCsrfOf,
  listSessions,
  makeLink,
  prepareLink,
  sessionIdOf,
  sessionOf,
  sessionsOfPerson,
  signInByKey,
  signInByLink,
  signInPerson,
  signOut,
  switchProject,
  takeAttempt,
  takeMailAttempt,
} from './service';
export type { SessionHolder, SignedIn } from './service';
