import type { Core } from '../../src/platform/core';
import { recordChange } from '../../src/records/audit';
import type { SignedIn } from '../../src/records/console-sessions';

/** Writes down that somebody signed in. */
export async function noteSignIn(core: Core, { projectId, by, sessionId }: SignedIn): Promise<void> {
  const change = { projectId, by, action: 'console.sign-in', subject: sessionId };
  await recordChange(change, (error) => core.log.error({ err: error, ...change }, 'A sign-in is missing from the audit'));
}
