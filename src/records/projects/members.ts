import type { ClientSession, QueryFilter } from 'mongoose';
import { AppError, conflict, invalidState, notFound } from '../../platform/core';
import { ProjectModel } from './model';
import type { MemberRole, MemberRow, Project } from './model';
import { getProject, refuseRemoved } from './service';

/** Every request reads its project with all members. */
const MOST_MEMBERS = 200;

/** Returns a person's place in a project; null where the person has none. */
export const memberOf = ({ members }: Pick<Project, 'members'>, personId: string): MemberRow | null =>
  members?.find((member) => member.personId === personId) ?? null;

/** Resolves to the projects that a person is a member of, oldest first, except those that are being removed. */
export const projectsOfPerson = (personId: string, session?: ClientSession): Promise<Project[]> =>
  ProjectModel.find({ 'members.personId': personId, removedAt: null }, null, session ? { session } : {})
    .sort({ createdAt: 1, _id: 1 })
    .lean<Project[]>();

/** Adds a person. Throws `not_found`, `conflict` where the person is a member, `invalid_state` while the project is being removed, and `limit_exceeded`. */
export async function addMember(session: ClientSession, projectId: string, member: MemberRow): Promise<void> {
  const { matchedCount } = await ProjectModel.updateOne(
    { _id: projectId, removedAt: null, 'members.personId': { $ne: member.personId }, [`members.${MOST_MEMBERS - 1}`]: { $exists: false } },
    { $push: { members: member } },
    { session },
  );
  if (matchedCount > 0) return;
  await refuseRemoved(projectId);
  if (memberOf(await getProject(projectId), member.personId)) throw conflict('This person is a member of the project');
  throw new AppError('limit_exceeded', `A project has up to ${MOST_MEMBERS} members`);
}

type Filter = QueryFilter<Project>;

const isOwner = (personId: string): Filter => ({ members: { $elemMatch: { personId, role: 'owner' } } });
/** Holds where somebody else is an owner, or the person is none. */
const leavesAnOwner = (personId: string): Filter => ({
  $or: [{ members: { $elemMatch: { personId: { $ne: personId }, role: 'owner' } } }, { $nor: [isOwner(personId)] }],
});

/** The author of the change: only an owner changes who is an owner. */
export interface Changer {
  readonly isOwner: boolean;
}

const found = (projectId: string, personId: string, by: Changer): Filter => ({
  _id: projectId,
  members: { $elemMatch: { personId, ...(!by.isOwner && { role: { $ne: 'owner' } }) } },
});

/** Finds why a member was not changed. The reason may be gone since: then it can be tried again. */
async function refusalOf(projectId: string, personId: string, by: Changer): Promise<AppError> {
  const member = memberOf(await getProject(projectId), personId);
  if (!member) return notFound('Member');
  if (!by.isOwner) return onlyOwners();
  return invalidState('The last owner of a project cannot be removed or get another role. Make somebody else an owner first');
}

const onlyOwners = (): AppError => new AppError('forbidden', 'Only an owner can add, change or remove an owner');

/**
 * Gives a member another role, in one write: of two owners who change each other at once, one remains. Throws `not_found`, `forbidden` where an owner is needed,
 * and `invalid_state` for the last owner.
 */
export async function changeRole(projectId: string, personId: string, role: MemberRole, by: Changer): Promise<void> {
  if (role === 'owner' && !by.isOwner) throw onlyOwners();
  const { matchedCount } = await ProjectModel.updateOne(
    { $and: [found(projectId, personId, by), role === 'owner' ? {} : leavesAnOwner(personId)] },
    { $set: { 'members.$[member].role': role } },
    { arrayFilters: [{ 'member.personId': personId }] },
  );
  if (matchedCount === 0) throw await refusalOf(projectId, personId, by);
}

/** The fate of the keys that a member made, also through other keys, when the member is removed. */
export const KEYS_OF_REMOVED = ['keep', 'revoke'] as const;
type KeysOfRemoved = (typeof KEYS_OF_REMOVED)[number];

/** Returns the audit's name of a person, which is also the origin of the person's keys. */
export const byPerson = (personId: string): string => `person ${personId}`;

const PERSON = byPerson('');

/** Returns the person whom the audit names; null for any other caller. */
export const personNamed = (by: string): string | null => (by.startsWith(PERSON) ? by.slice(PERSON.length) : null);

/** A member who is to be removed. */
export interface Leaving {
  readonly personId: string;
  readonly keys: KeysOfRemoved;
}

/** Removes a member, and revokes the member's keys in the same write where that is wanted. Resolves to the number of keys. Throws the same as `changeRole`. */
export async function dropMember(session: ClientSession, projectId: string, { personId, keys }: Leaving, by: Changer): Promise<number> {
  const isRevoked = keys === 'revoke';
  const origin = byPerson(personId);
  const before = await ProjectModel.findOneAndUpdate(
    { $and: [found(projectId, personId, by), leavesAnOwner(personId)] },
    { $pull: { members: { personId } }, ...(isRevoked && { $set: { 'keys.$[key].revokedAt': new Date() } }) },
    { session, returnDocument: 'before', ...(isRevoked && { arrayFilters: [{ 'key.origin': origin, 'key.revokedAt': null }] }) },
  ).lean<Project>();
  if (!before) throw await refusalOf(projectId, personId, by);
  return isRevoked ? before.keys.filter((key) => key.origin === origin && key.revokedAt === null).length : 0;
}
