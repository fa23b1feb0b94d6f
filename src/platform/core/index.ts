export type { Context, Core, ProjectFacts, PageRequest, Positioned, Position, Rows } from './context';
export {
  AppError,
  conflict,
  invalid,
  invalidRequest,
  invalidState,
  notFound,
  sendFailed,
  rateHeaders,
  rateLimited,
  secondsUntil,
  stateOf,
} from './errors';
export type { DetailCode, ErrorCode, ErrorDetail, RateState, Refill } from './errors';
export { addressId, base32, derivedId, isToken, newId, newToken, sha256, siblingId, timeOfId, timePrefix, timedId } from './ids';
export { merged, orNull } from './merged';
export { perCore, positionAt } from './context';
export { PROJECT_LIMITS, limitOf } from './project-limits';
export type { LimitName, LimitSettings, Limited } from './project-limits';
export { RawJson, jsonText, storedJson } from './raw-json';
export { ANSWER_MS, outsideRequests, readWhileSent, requestScope, withinRequest } from './request-scope';
