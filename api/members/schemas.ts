import { z } from 'zod';
import { KEYS_OF_REMOVED } from '../../src/records/projects';
import { MEMBER_ROLES } from '../../src/rules/roles';
import { Deleted, emailAddress, timestamp } from '../http/pieces';

const role = z.enum(MEMBER_ROLES).meta({
  id: 'MemberRole',
  description:
    '`owner`: everything; `admin`: everything, except to change owners; `marketer`: contacts, content, campaigns and automations; `analyst`: read; `approver`: read, and decide approvals',
});

export const Member = z
  .object({
    personId: z.string().meta({ description: 'The id of the person; the audit names it' }),
    address: z.string().meta({ description: 'The address that the person signs in with' }),
    name: z.string().nullable(),
    role,
    since: timestamp.meta({ description: 'When the person joined the project' }),
  })
  .meta({ id: 'Member' });

export const UpdateMember = z.strictObject({ role });

export const RemoveMemberQuery = z.object({
  keys: z
    .enum(KEYS_OF_REMOVED)
    .default('keep')
    .meta({ description: 'Whether the keys that the member created, also through other keys, stay or are revoked' }),
});

export const FormerMember = Deleted.extend({
  keysRevoked: z.int().meta({ description: 'How many keys of the member were revoked' }),
}).meta({
  id: 'FormerMember',
  description: 'A member who was removed',
});

export const Invitation = z
  .object({
    invitationId: z.string(),
    address: z.string(),
    role,
    invitedBy: z.string().meta({ description: 'The inviter, as the audit names callers' }),
    createdAt: timestamp,
    expiresAt: timestamp.meta({ description: 'When the link in the message ends' }),
  })
  .meta({ id: 'Invitation' });

export const CreateInvitation = z.strictObject({
  address: emailAddress.meta({ description: 'The only address that can accept it' }),
  role,
});

const OwnProject = z
  .object({ projectId: z.string(), name: z.string(), role })
  .meta({ id: 'OwnProject', description: 'A project that the person is a member of' });

export const Me = z
  .object({
    grant: z.string().nullable().meta({ description: 'The role of the person, or the scope of the key; null for a public key' }),
    projectId: z.string(),
    personId: z.string().nullable().meta({ description: 'Null for a key and for a link of an operator' }),
    address: z.string().nullable(),
    name: z.string().nullable(),
    projects: z.array(OwnProject).meta({ description: 'The projects that the person can switch to' }),
  })
  .meta({ id: 'Me', description: 'The caller' });
