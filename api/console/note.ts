import type { Core } from '../../src/platform/core';
import { noteChange } from '../../src/records/audit';
import type { SignedIn } from '../../src/records/console-sessions';

/** Writes down that somebody signed in. */
export const noteSignIn = (core: Core, { projectId, by, sessionId }: SignedIn): Promise<void> =>
  noteChange(core, { projectId, by, action: 'console.sign-in', subject: sessionId });
