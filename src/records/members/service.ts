import type { ClientSession } from 'mongoose';
import { AppError, newId, notFound } from '../../platform/core';
import { inTransaction, isDuplicate } from '../../platform/mongo';
import { addMember, changeRole, dropMember, getProject, memberOf, projectsOfPerson } from '../projects';
import type { Changer, Leaving, MemberRole, MemberRow } from '../projects';
import { PersonModel, InvitationModel } from './model';
import type { Person, Identity } from './model';

/** A member of a project, with the person's address and name. */
export interface Member extends MemberRow, Pick<Person, 'address' | 'name'> {}

/** Resolves to the members of a project in the order in which they joined. Throws `not_found`. */
export async function listMembers(projectId: string): Promise<readonly Member[]> {
  const { members = [] } = await getProject(projectId);
  const persons = await findPersons(members.map(({ personId }) => personId));
  return members
    .flatMap((member) => {
      const person = persons.get(member.personId);
      return person ? [{ ...member, address: person.address, name: person.name }] : [];
    })
    .sort((a, b) => a.since.getTime() - b.since.getTime() || (a.personId < b.personId ? -1 : 1));
}

/** Resolves to one member. Throws `not_found`. */
export async function getMember(projectId: string, personId: string): Promise<Member> {
  const [member, person] = [memberOf(await getProject(projectId), personId), await findPerson(personId)];
  if (!member || !person) throw notFound('Member');
  return { ...member, address: person.address, name: person.name };
}

async function findPersons(ids: readonly string[]): Promise<ReadonlyMap<string, Person>> {
  const rows = await PersonModel.find({ _id: { $in: [...ids] } }).lean<Person[]>();
  return new Map(rows.map((row) => [row._id, row]));
}

/** Resolves to a person, or null. */
export const findPerson = (personId: string): Promise<Person | null> => PersonModel.findOne({ _id: personId }).lean<Person>();

/** Resolves to the person with an address, or null. */
export const findPersonAt = (address: string): Promise<Person | null> => PersonModel.findOne({ address }).lean<Person>();

/** Someone who is to become a member. */
export interface Joining extends Pick<MemberRow, 'role'> {
  readonly address: string;
  readonly name: string | null;
}

/**
 * Adds a person to a project, in the transaction of the caller, and withdraws an invitation to the address. The person is created where nobody has the
 * address. Resolves to the id of the person.
 * Throws what `addMember` throws.
 */
export async function join(session: ClientSession, projectId: string, { address, name, role }: Joining): Promise<string> {
  const now = new Date();
  const person = await PersonModel.findOneAndUpdate(
    { address },
    { $set: { leftAt: null }, $inc: { changes: 1 }, $setOnInsert: { _id: newId('prs', now.getTime()), name, createdAt: now } },
    { upsert: true, returnDocument: 'after', session },
  ).lean<Person>();
  const { _id: personId } = person;
  await addMember(session, projectId, { personId, role, since: now });
  await InvitationModel.deleteMany({ projectId, address }, { session });
  return personId;
}

/** Adds a person to a project. Resolves to the id of the person; see `join`. */
export const addPerson = (projectId: string, joining: Joining): Promise<string> =>
  inTransaction((session) => join(session, projectId, joining));

/** Adds a person to a project, unless the person is a member. Resolves to the id of the person who was added. Throws what `join` throws, but for `conflict`. */
export async function joinUnlessMember(projectId: string, joining: Joining): Promise<string | null> {
  try {
    return await addPerson(projectId, joining);
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return null;
    throw error;
  }
}

/**
 * Gives a person a role in the project, also one who is a member with another role. Resolves to the id of the person. Throws what `join` and `changeRole` throw.
 * For operators, who may do all that an owner may.
 */
export async function ensureMember(projectId: string, joining: Joining): Promise<string> {
  const person = await findPersonAt(joining.address);
  if (!person || !memberOf(await getProject(projectId), person._id)) return addPerson(projectId, joining);
  await changeRole(projectId, person._id, joining.role, { isOwner: true });
  return person._id;
}

/**
 * Removes a member from a project, and withdraws an invitation to the member's address. A person who is in no project any more is forgotten after 400 days.
 * Resolves to how many keys were revoked. Throws what `dropMember` throws.
 */
export const removeMember = (projectId: string, leaving: Leaving, by: Changer): Promise<number> =>
  inTransaction(async (session) => {
    const { personId } = leaving;
    const revoked = await dropMember(session, projectId, leaving, by);
    const left = await projectsOfPerson(personId, session);
    const person = await PersonModel.findOneAndUpdate(
      { _id: personId },
      { $set: { leftAt: left.length > 0 ? null : new Date() }, $inc: { changes: 1 } },
      { session },
    ).lean<Person>();
    if (person) await InvitationModel.deleteMany({ projectId, address: person.address }, { session });
    return revoked;
  });

/** Changes the name of a person. Throws `not_found`. */
export async function renamePerson(personId: string, name: string | null): Promise<void> {
  const { matchedCount } = await PersonModel.updateOne({ _id: personId }, { $set: { name } });
  if (matchedCount === 0) throw notFound('Person');
}

/** A project of a person, with the person's role in it. */
export interface OwnProject {
  readonly projectId: string;
  readonly name: string;
  readonly role: MemberRole;
}

/** Resolves to the projects that a person may switch to, oldest first. */
export async function projectsOf(personId: string): Promise<readonly OwnProject[]> {
  const projects = await projectsOfPerson(personId);
  return projects.flatMap((project) => {
    const member = memberOf(project, personId);
    return member ? [{ projectId: project._id, name: project.name, role: member.role }] : [];
  });
}

/** Resolves to the person of an identity, or null. */
export const personOfIdentity = ({ issuer, subject }: Identity): Promise<Person | null> =>
  PersonModel.findOne({ 'identity.issuer': issuer, 'identity.subject': subject }).lean<Person>();

/** Links an identity to a person who has none. Does nothing where the person has one, or another person has this one. */
export async function linkIdentity(personId: string, identity: Identity): Promise<void> {
  try {
    await PersonModel.updateOne({ _id: personId, identity: null }, { $set: { identity } });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
}

/** Forgets the identity of a person: the next sign-in with the same verified address links another one. */
export const unlinkIdentity = async (personId: string): Promise<void> => {
  await PersonModel.updateOne({ _id: personId }, { $set: { identity: null } });
};
