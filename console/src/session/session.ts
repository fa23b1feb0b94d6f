import { use } from 'react';
import type { Session } from '../parts/api.ts';
import { SessionContext } from '../parts/session-context.ts';

/**
 * The permission that a part of the console needs: to read, to change contacts and content, to decide approvals, to manage the project itself, to create keys,
 * to send, or to view messages.
 */
export type Need = 'read' | 'change' | 'decide' | 'manage' | 'keys' | 'send' | 'mail';

const MANAGERS = ['owner', 'admin', 'full'] as const;
const MARKETERS = [...MANAGERS, 'marketer'] as const;
const READERS = [...MARKETERS, 'analyst', 'approver', 'read'] as const;

/** The roles and scopes to which the API allows it, so that the console offers nothing else. */
const GRANTS: Readonly<Record<Need, readonly Session['grant'][]>> = {
  read: READERS,
  change: MARKETERS,
  decide: [...MANAGERS, 'approver'],
  manage: MANAGERS,
  keys: [...MARKETERS, 'analyst', 'approver'],
  send: [...MARKETERS, 'sending'],
  mail: [...READERS, 'sending'],
};

/** Returns the session in which the console works. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('You are not signed in. Sign in again.');
  return session;
}

/** Returns whether the session may do something: what its key or its person may, and no more. */
export function useAllowed(): (need: Need) => boolean {
  const { grant } = useSession();
  return (need) => GRANTS[need].includes(grant);
}

/** Returns whether the session may do what is needed. */
export const useMay = (need: Need): boolean => useAllowed()(need);
