export { KeyRates } from './key-rates';
export {
  MOST_KEYS_AN_HOUR,
  authenticate,
  createKey,
  holderOfHash,
  listKeys,
  listedKey,
  revokeAllKeys,
  revokeKey,
  revokeKeyOf,
} from './key-service';
export type { KeyFault, KeyHolder, ListedKey } from './key-service';
export { KeyUses } from './key-uses';
export { SHORTEST_BEGINNING, faultOfBeginning, hashKey, scopeOf } from './keys';
export { KEYS_OF_REMOVED, addMember, byPerson, changeRole, dropMember, memberOf, personNamed, projectsOfPerson } from './members';
export type { Changer, Leaving } from './members';
export { IP_KEPT, KEY_KINDS, KEY_SCOPES, PLANS } from './model';
export type { Grant, KeyKind, KeyRow, KeyScope, MemberRole, MemberRow, Plan, Project } from './model';
export {
  allProjects,
  bumpConfigVersion,
  changeSettings,
  closeProject,
  createProject,
  disableProject,
  enableProject,
  findProject,
  findProjectNamed,
  firstProjectId,
  forgetProject,
  getProject,
  pagesOfProjects,
  pagesOfTroubledProjects,
  resetLimits,
  resetReputation,
  setCaps,
  setLimit,
  setPlan,
  setReputation,
  setTranslations,
} from './service';
export type { ProjectKeys } from './service';
