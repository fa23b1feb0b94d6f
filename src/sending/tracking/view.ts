import type { Core } from '../../platform/core';
import { findWhole, readBodies } from '../../records/emails';

/**
 * Resolves to the HTML of a message as its recipient reads it, untracked, or to null HTML if it is no longer kept; null if the message
 * does not exist.
 */
export async function viewOf(core: Pick<Core, 'config' | 'secrets'>, emailId: string): Promise<{ readonly html: string | null } | null> {
  const email = await findWhole(emailId);
  if (!email) return null;
  const { html, isKept } = await readBodies(core, email);
  return { html: isKept ? html : null };
}
