import { notFound } from '../../platform/core';
import { normalizeAddress } from '../../platform/addresses';
import { endSessionsOfPerson, makeLink, endAllSessions, endSession, listSessions } from '../../records/console-sessions';
import { ensureMember, findPersonAt, listMembers, removeMember, resetFactors } from '../../records/members';
import { MEMBER_ROLES } from '../../rules/roles';
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

/** Removes the factors of a person who has lost them, and signs the person out: anyone who found them must not stay signed in. */
async function reset({ args: [given = ''] }: Given): Promise<Outcome> {
  const person = await findPersonAt(normalizeAddress(given) ?? '');
  if (!person) throw notFound('Person');
  await resetFactors(person._id);
  await endSessionsOfPerson(person._id);
  return { result: { personId: person._id }, changed: { projectId: null, action: 'member.reset-factors', subject: person._id } };
}

/** The operator's commands for the members of projects. */
export const MEMBERS: readonly Command[] = [
  {
    words: ['members', 'add'],
    parameters: ['<projectId>', '<address>', `<${MEMBER_ROLES.join('|')}>`],
    options: ['name'],
    meaning: 'add a person to a project, or change their role; prints a sign-in link that works once, within 30 minutes',
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
    meaning: 'remove a person from a project and end their sessions there; with --revoke-keys also revoke the keys they created',
    check: (given) => void addressIn(given),
    run: remove,
  },
  {
    words: ['members', 'reset-factors'],
    parameters: ['<address>'],
    meaning: 'remove the authenticator app, the passkeys and the recovery codes of a person, and end all sessions of the person',
    check: ({ args: [given = ''] }) => {
      if (normalizeAddress(given) === null) throw new UsageError('Give the e-mail address of the person');
    },
    run: reset,
  },
];

async function end({ args: [which = ''] }: Given): Promise<Outcome> {
  const isOne = which.startsWith('ses_');
  const [projectId, sessions] = isOne ? [await endSession(which), 1] : [which, await endAllSessions(which)];
  return { result: { projectId, sessions }, changed: { projectId, action: 'console.end', subject: which } };
}

/** The operator's commands for the console: create sign-in links, list sessions, end them. */
export const CONSOLE: readonly Command[] = [
  {
    words: ['console-link'],
    parameters: ['<projectId>'],
    meaning: 'create a link that signs one person in to the console; works once, within 30 minutes',
    run: async ({ args: [projectId = ''] }, { publicUrl }) => ({
      result: { projectId, ...(await makeLink(projectId, publicUrl)) },
      changed: { projectId, action: 'console_link.create', subject: null },
    }),
  },
  {
    words: ['sessions', 'list'],
    parameters: ['<projectId>'],
    meaning: 'list console sessions, with their key or link',
    run: async ({ args: [projectId = ''] }) => ({ result: await listSessions(projectId) }),
  },
  {
    words: ['sessions', 'end'],
    parameters: ['<sessionId|projectId>'],
    meaning: 'end one console session; with a project id, end all of them and their unused links',
    run: end,
  },
];
