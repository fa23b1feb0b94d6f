export type { Invitation } from './invitation-model';
export { acceptInvitation, invitationOf, invite, listInvitations, storeInvitation, withdrawInvitation } from './invitations';
export { ensureMember, findPerson, findPersonAt, getMember, listMembers, projectsOf, removeMember, renamePerson } from './service';
export type { Member } from './service';
