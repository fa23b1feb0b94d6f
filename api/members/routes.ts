import type { Context, Position } from '../../src/platform/core';
import { AppError, invalidState, sha256 } from '../../src/platform/core';
import { takeAll } from '../../src/platform/limits';
import { inTransaction, positioned } from '../../src/platform/mongo';
import { endSessionsOfPerson } from '../../src/records/console-sessions';
import { changeRole, getProject, KEYS_OF_REMOVED } from '../../src/records/projects';
import type { Changer, Grant } from '../../src/records/projects';
import {
  getMember,
  invite,
  listInvitations,
  listMembers,
  removeMember,
  storeInvitation,
  withdrawInvitation,
  findPerson,
  projectsOf,
} from '../../src/records/members';
import { prepareConsoleMail } from '../../src/sending/console-mail';
import { endpoint, extensions, listEndpoint } from '../http/endpoint';
import { Deleted, IdParams, emailAddress, timestamp } from '../http/pieces';
import type { Invitation as StoredInvitation } from '../../src/records/members';
import { z } from 'zod';
import { MEMBER_ROLES } from '../../src/rules/roles';

const role = z.enum(MEMBER_ROLES).meta({
  id: 'MemberRole',
  description:
    '`owner`: everything; `admin`: everything, except to change owners; `marketer`: contacts, content, campaigns and automations; `analyst`: read; `approver`: read, and decide approvals',
});

const Member = z
  .object({
    personId: z.string().meta({ description: 'The id of the person; the audit names it' }),
    address: z.string().meta({ description: 'The address that the person signs in with' }),
    name: z.string().nullable(),
    role,
    since: timestamp.meta({ description: 'When the person joined the project' }),
  })
  .meta({ id: 'Member' });

const UpdateMember = z.strictObject({ role });

const RemoveMemberQuery = z.object({
  keys: z
    .enum(KEYS_OF_REMOVED)
    .default('keep')
    .meta({ description: 'Whether the keys that the member created, also through other keys, stay or are revoked' }),
});

const FormerMember = Deleted.extend({
  keysRevoked: z.int().meta({ description: 'How many keys of the member were revoked' }),
}).meta({
  id: 'FormerMember',
  description: 'A member who was removed',
});

const Invitation = z
  .object({
    invitationId: z.string(),
    address: z.string(),
    role,
    invitedBy: z.string().meta({ description: 'The inviter, as the audit names callers' }),
    createdAt: timestamp,
    expiresAt: timestamp.meta({ description: 'When the link in the message ends' }),
  })
  .meta({ id: 'Invitation' });

const CreateInvitation = z.strictObject({
  address: emailAddress.meta({ description: 'The only address that can accept it' }),
  role,
});

const OwnProject = z
  .object({ projectId: z.string(), name: z.string(), role })
  .meta({ id: 'OwnProject', description: 'A project that the person is a member of' });

const Me = z
  .object({
    grant: z.string().nullable().meta({ description: 'The role of the person, or the scope of the key; null for a public key' }),
    projectId: z.string(),
    personId: z.string().nullable().meta({ description: 'Null for a key and for a link of an operator' }),
    address: z.string().nullable(),
    name: z.string().nullable(),
    projects: z.array(OwnProject).meta({ description: 'The projects that the person can switch to' }),
  })
  .meta({ id: 'Me', description: 'The caller' });

/** Returns whose change it is: a key of full scope may do what an admin may. Throws `forbidden` for a test key. */
function changerOf({ testMode }: Context, grant: Grant | null): Changer {
  if (testMode) throw new AppError('forbidden', 'A test key cannot change members');
  return { isOwner: grant === 'owner' };
}

const HOUR_MS = 3_600_000;
/** Invitations of a project within an hour: each is a message to somebody who did not ask for it. */
const INVITATIONS = 50;

const isBehind = (position: Position, after: Position): boolean =>
  position.at > after.at || (position.at.getTime() === after.at.getTime() && position.id > after.id);

export const memberExtensions = extensions('Members', [
  listEndpoint('GET /v1/members', {
    operationId: 'listMembers',
    summary: 'List the members of the project in the order in which they joined',
    response: Member,
    list: 'whole',
    handle: async ({ ctx, page: { after } }) => {
      const members = await listMembers(ctx.projectId);
      const rest = members.filter(({ since, personId }) => after === null || isBehind({ at: since, id: personId }, after));
      return positioned(rest, ({ personId, since }) => ({ at: since, id: personId }));
    },
  }),
  listEndpoint('GET /v1/invitations', {
    operationId: 'listInvitations',
    summary: 'List pending invitations, newest first',
    response: Invitation,
    list: 'whole',
    handle: async ({ ctx, page: { after } }) => {
      const waiting = await listInvitations(ctx.projectId);
      const rest = waiting.filter(({ createdAt, _id }) => after === null || isBehind(after, { at: createdAt, id: _id }));
      return positioned(rest.map(toInvitation), ({ invitationId, createdAt }) => ({ at: new Date(createdAt), id: invitationId }));
    },
  }),
  endpoint('POST /v1/invitations', {
    operationId: 'createInvitation',
    summary: 'Invite a person to the project by e-mail',
    description:
      'The message goes out from the first verified domain of the project. Its link works once, within 7 days, and is nowhere else: it proves that the person reads the mail of the address. ' +
      `An invitation replaces an earlier one to the same address. You can invite up to ${INVITATIONS} persons per hour.`,
    request: { body: CreateInvitation },
    status: 201,
    response: Invitation,
    errors: ['conflict', 'invalid_state', 'limit_exceeded', 'send_failed', 'forbidden'],
    audit: ({ data }) => ['invitation.create', data.invitationId, data.role],
    handle: async ({ ctx, by, scope, core, body }) => {
      const changer = changerOf(ctx, scope);
      const project = await getProject(ctx.projectId);
      const { invitation, token } = await invite(project, { ...body, by: by ?? '' }, changer);
      await takeAll('invitations', [{ id: `lim_${sha256(`invitations/${ctx.projectId}`)}`, limit: INVITATIONS, windowMs: HOUR_MS }]);
      const store = await prepareConsoleMail(ctx, {
        to: body.address,
        subject: `Join ${project.name} on Lettermill`,
        why: `You are invited to the project ${project.name} as ${body.role}.`,
        button: 'Accept the invitation',
        url: `${core.config.PUBLIC_URL}/console/#invitation=${token}`,
        ends: 'The link works once, within 7 days.',
      });
      await inTransaction(async (session) => {
        await storeInvitation(session, invitation);
        const { isSent } = await store(session);
        if (!isSent) throw invalidState('The message would be skipped: the address is suppressed, or the project cannot send now');
      });
      return toInvitation(invitation);
    },
  }),
  endpoint('DELETE /v1/invitations/{id}', {
    operationId: 'withdrawInvitation',
    summary: 'Withdraw an invitation',
    description: 'The link in the message leads nowhere from now on.',
    request: { params: IdParams },
    response: Deleted,
    errors: ['forbidden'],
    audit: ({ params }) => ['invitation.delete', params.id],
    handle: async ({ ctx, scope, params }) => {
      changerOf(ctx, scope);
      await withdrawInvitation(ctx.projectId, params.id);
      return { success: true as const };
    },
  }),
  endpoint('PATCH /v1/members/{id}', {
    operationId: 'updateMember',
    summary: 'Change the role of a member',
    description: "It counts from the member's next request on. Only owners change owners, and the last owner keeps the role.",
    request: { params: IdParams, body: UpdateMember },
    response: Member,
    errors: ['invalid_state', 'forbidden'],
    audit: ({ params, body }) => ['member.update', params.id, body.role],
    handle: async ({ ctx, scope, params, body }) => {
      await changeRole(ctx.projectId, params.id, body.role, changerOf(ctx, scope));
      return getMember(ctx.projectId, params.id);
    },
  }),
  endpoint('DELETE /v1/members/{id}', {
    operationId: 'removeMember',
    summary: 'Remove a member from the project',
    description:
      "The member's sessions in the project end. The keys that the member created stay, unless `keys` is `revoke`. The last owner cannot be removed.",
    request: { params: IdParams, query: RemoveMemberQuery },
    response: FormerMember,
    errors: ['invalid_state', 'forbidden'],
    audit: ({ params, data: { keysRevoked: keys } }) =>
      keys === 0 ? ['member.remove', params.id] : ['member.remove', params.id, `keys revoked: ${keys}`],
    handle: async ({ ctx, scope, params, query: { keys } }) => {
      const keysRevoked = await removeMember(ctx.projectId, { personId: params.id, keys }, changerOf(ctx, scope));
      await endSessionsOfPerson(params.id, ctx.projectId);
      return { success: true as const, keysRevoked };
    },
  }),
]);

const toInvitation = ({ _id, token: _token, ...invitation }: StoredInvitation): z.input<typeof Invitation> => ({
  invitationId: _id,
  ...invitation,
});

export const ownExtensions = extensions('Members', [
  endpoint('GET /v1/me', {
    operationId: 'getMe',
    summary: 'Get the caller: the person or key, what it may do, and where',
    access: 'any',
    response: Me,
    handle: async ({ ctx: { projectId, personId }, scope }) => {
      const person = personId === undefined ? null : await findPerson(personId);
      return {
        grant: scope,
        projectId,
        personId: personId ?? null,
        address: person?.address ?? null,
        name: person?.name ?? null,
        projects: personId === undefined ? [] : [...(await projectsOf(personId))],
      };
    },
  }),
]);
