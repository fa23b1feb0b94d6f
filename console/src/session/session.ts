import { createContext, useContext } from 'react';
import type { Session } from '../parts/api.ts';

/** The permission that a part of the console needs: to read, to change something, to send, or to view messages. */
export type Need = 'read' | 'change' | 'send' | 'mail';

const SCOPES: Readonly<Record<Need, readonly Session['scope'][]>> = {
  read: ['full', 'read'],
  change: ['full'],
  send: ['full', 'sending'],
  mail: ['full', 'sending', 'read'],
};

export const SessionContext = createContext<Session | null>(null);

/** The session in which the console works. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('You are not signed in. Sign in again.');
  return session;
}

/** Returns whether the session may do something: what its key may, and no more. */
export function useAllowed(): (need: Need) => boolean {
  const { scope } = useSession();
  return (need) => SCOPES[need].includes(scope);
}

/** Whether the session may do what is needed. */
export const useMay = (need: Need): boolean => useAllowed()(need);
