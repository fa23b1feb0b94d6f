import { notFound } from '../../platform/core';
import { normalizeAddress } from '../../platform/addresses';
import { endSessionsOfPerson, makeLink } from '../../records/console-sessions';
import { ensureMember, findPersonAt, listMembers, removeMember } from '../../records/members';
import { MEMBER_ROLES } from '../../records/projects';
import type { MemberRole } from '../../records/projects';
import { UsageError, oneOf } from './arguments';
import type { Command, Given, Outcome, Platform } from './command';

function addressIn({ args: [, given = ''] }: Given): string {
  const address = normalizeAddress(given);
  if (address === null) throw new UsageError('Give the e-mail address of the person');
  return address;
}

async function add(given: Given, { publicUrl }: Platform): Promise<Outcome> {
  const [projectId = '', , role] = given.args;
  const joining = { address: addressIn(given), name: given.options.name ?? null, role: role as MemberRole };
  const personId = await ensureMember(projectId, joining);
  return {
    result: { projectId, personId, role, ...(await makeLink(projectId, publicUrl, personId)) },
    changed: { projectId, action: 'member.add', subject: personId },
  };
}

async function remove(given: Given): Promise<Outcome> {
  const [projectId = ''] = given.args;
  const person = await findPersonAt(addressIn(given));
  if (!person) throw notFound('Member');
  const keys = given.flags.has('revoke-keys') ? 'revoke' : 'keep';
  const keysRevoked = await removeMember(projectId, { personId: person._id, keys }, { isOwner: true });
  await endSessionsOfPerson(person._id, projectId);
  return { result: { projectId, personId: person._id, keysRevoked }, changed: { projectId, action: 'member.remove', subject: person._id } };
}

/** The operator's commands for the members of projects. */
export const MEMBERS: readonly Command[] = [
  {
    words: ['members', 'add'],
    parameters: ['<projectId>', '<address>', `<${MEMBER_ROLES.join('|')}>`],
    options: ['name'],
    meaning: 'add a person to a project, or change the role; prints a link that signs the person in once, within 30 minutes',
    check: (given) => {
      addressIn(given);
      oneOf('The role', MEMBER_ROLES, given.args[2]);
    },
    run: add,
  },
  {
    words: ['members', 'list'],
    parameters: ['<projectId>'],
    meaning: 'list the members of a project with their roles',
    run: async ({ args: [projectId = ''] }) => ({ result: await listMembers(projectId) }),
  },
  {
    words: ['members', 'remove'],
    parameters: ['<projectId>', '<address>'],
    flags: ['revoke-keys'],
    meaning: 'remove a person from a project and end the sessions there; with --revoke-keys also the keys that the person made',
    check: (given) => void addressIn(given),
    run: remove,
  },
];
