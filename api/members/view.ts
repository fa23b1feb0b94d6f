import type { z } from 'zod';
import type { Invitation as StoredInvitation, Member as MemberOfProject } from '../../src/records/members';
import type { Invitation, Member } from './schemas';

export const toMember = ({ personId, address, name, role, since }: MemberOfProject): z.input<typeof Member> => ({
  ...{ personId, address, name, role },
  since: since.toISOString(),
});

export const toInvitation = ({ _id, address, role, invitedBy, createdAt, expiresAt }: StoredInvitation): z.input<typeof Invitation> => ({
  ...{ invitationId: _id, address, role, invitedBy },
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
});
