export type { Invitation } from './invitation-model';
export { linkIdentity, personOfIdentity, unlinkIdentity } from './identities';
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
} from './service';
export type { Identity, Person } from './model';
export type { Joining, Member } from './service';
