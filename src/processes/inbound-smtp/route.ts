import { normalizeDomain } from '../../platform/addresses';
import type { Core } from '../../platform/core';
import { projectReceivingAt } from '../../sending/domains';
import { readToken } from '../../records/emails';

/** The meaning of a recipient's address. */
export type Destination =
  /** The envelope sender of a message (VERP). */
  | { readonly kind: 'bounce'; readonly emailId: string }
  /** The address of a message's List-Unsubscribe. */
  | { readonly kind: 'unsubscribe'; readonly emailId: string }
  /** The address for reports of feedback loops. */
  | { readonly kind: 'feedback' }
  /** The address for reports on domains (DMARC, TLS). */
  | { readonly kind: 'domain_report' }
  /** Mail for a project: the local part as it came, the domain in lower case and ASCII. */
  | { readonly kind: 'inbound'; readonly projectId: string; readonly to: string };

const FEEDBACK: ReadonlySet<string> = new Set(['fbl', 'abuse']);
const DOMAIN_REPORTS = 'dmarc';
const BOUNCE_PREFIX = 'bounce.';
const LOCAL_LENGTH = 64;

/** Resolves to the project or message that an address belongs to, or null: unknown recipients are refused, so nothing is ever relayed. */
export async function destinationOf(core: Core, address: string): Promise<Destination | null> {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, Math.max(at, 0));
  const domain = normalizeDomain(address.slice(at + 1));
  if (local === '' || local.length > LOCAL_LENGTH || domain === null) return null;
  if (domain === core.config.BOUNCE_DOMAIN) return ofPlatform(core, local);
  const projectId = await projectReceivingAt(core, domain);
  if (projectId !== null) return { kind: 'inbound', projectId, to: `${local}@${domain}` };
  return (await isBounceDomain(core, domain)) ? ofPlatform(core, local) : null;
}

const isBounceDomain = async (core: Core, domain: string): Promise<boolean> =>
  domain.startsWith(BOUNCE_PREFIX) && (await projectReceivingAt(core, domain.slice(BOUNCE_PREFIX.length))) !== null;

/** Finds an address of the platform, in any case: mail systems fold the case of local parts. */
function ofPlatform(core: Core, given: string): Destination | null {
  const local = given.toLowerCase();
  if (FEEDBACK.has(local)) return { kind: 'feedback' };
  if (local === DOMAIN_REPORTS) return { kind: 'domain_report' };
  const token = local.slice(2);
  const kind = local.startsWith('b+') ? 'bounce' : local.startsWith('u+') ? 'unsubscribe' : null;
  const emailId = kind && readToken(core, kind, token);
  return kind && emailId !== null ? { kind, emailId } : null;
}
