export {
  beginTotp,
  confirmTotp,
  disableTotp,
  hasSecondFactor,
  personById,
  renewRecoveryCodes,
  resealTotp,
  resetFactors,
  takeCode,
} from './factors';
export { acceptInvitation, invitationOf, invite, listInvitations, storeInvitation, withdrawInvitation } from './invitations';
export {
  ensureMember,
  findPerson,
  findPersonAt,
  getMember,
  joinUnlessMember,
  listMembers,
  projectsOf,
  removeMember,
  renamePerson,
  linkIdentity,
  personOfIdentity,
  unlinkIdentity,
} from './service';
export type { Identity, Person, Invitation } from './model';
export type { Joining } from './service';
export { addPasskey, askForPasskey, beginPasskey, passkeySiteOf, personByPasskey, removePasskey, renamePasskey } from './passkeys';
