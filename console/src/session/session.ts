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

/** Whether the session may do what is needed: what its key may, and no more. */
export function useMay(need: Need): boolean {
  return SCOPES[need].includes(useSession().scope);
}
