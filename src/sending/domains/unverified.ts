import type { Senders } from './senders';

/** Names beyond these would not help to find the right one. */
const MOST = 5;

/** Says that mail from a domain is not taken, from which it would be, and what to do. */
export function unverifiedText(domain: string, senders: Senders): string {
  const names = [...senders.keys()];
  const verified = names.length === 0 ? 'none is yet' : names.slice(0, MOST).join(', ') + (names.length > MOST ? ', …' : '');
  return `The domain ${domain} is not verified in this project (verified: ${verified}); add it with POST /v1/domains`;
}
