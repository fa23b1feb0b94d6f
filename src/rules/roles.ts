/** The roles of a project's members, from the one that may do most. `api/http/scopes.ts` says what each may do. */
export const MEMBER_ROLES = ['owner', 'admin', 'marketer', 'analyst', 'approver'] as const;

export type MemberRole = (typeof MEMBER_ROLES)[number];

/** The roles that decide what somebody else has requested. */
export const DECIDING_ROLES = ['owner', 'admin', 'approver'] as const satisfies readonly MemberRole[];
