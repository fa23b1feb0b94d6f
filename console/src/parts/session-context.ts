import { createContext } from 'react';
import type { Session } from './api.ts';

/** The session in which the console works; null before anyone has signed in. */
export const SessionContext = createContext<Session | null>(null);
