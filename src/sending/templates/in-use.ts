import type { ClientSession } from 'mongoose';
import { AppError } from '../../platform/core';
import { hook } from '../../platform/hooks';

/** Names what of a room sends a template, or null; the answer is named by the kind of thing that it is (“workflow”). */
export const templateUsers =
  hook<(session: ClientSession, projectId: string, templateId: string) => Promise<string | null>>('what sends a template');

/** Throws 409 `in_use` while something active sends the template. */
export async function refuseWhileSent(session: ClientSession, projectId: string, templateId: string): Promise<void> {
  for (const [kind, ask] of templateUsers.named) {
    const name = await ask(session, projectId, templateId);
    if (name !== null) throw new AppError('in_use', `The ${kind} “${name}” sends this template`);
  }
}
