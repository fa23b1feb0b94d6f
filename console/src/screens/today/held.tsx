import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { count } from '../../parts/numbers.ts';
import { heldWords } from '../../parts/reasons.ts';
import { useSession } from '../../session/session.ts';

type Billing = Schemas['Billing'];

const CATEGORIES = {
  transactional: 'API messages',
  campaign: 'campaigns',
  workflow: 'automations',
  inbound: 'received mail',
} as const;

const isUsedUp = ({ limit, used }: { readonly limit: number | null; readonly used: number }): boolean => limit !== null && used >= limit;

/** Returns why mail waits or is refused, each with what to do about it. */
function reasonsOf({ reputation, used, limit, categories }: Billing, isDisabled: boolean): readonly string[] {
  const reasons: string[] = [];
  if (isDisabled) reasons.push('Sending is disabled, and every message is skipped. Ask an operator to enable the project.');
  if (reputation.state === 'paused')
    reasons.push(
      'Sending is paused because of too many bounces or complaints. Clean your lists, then ask an operator to reset the reputation.',
    );
  if (reputation.state === 'throttled')
    reasons.push(
      'Campaigns are slowed down because of too many bounces or complaints. Send to fewer, more engaged contacts until the rates fall.',
    );
  if (isUsedUp({ limit, used }))
    reasons.push(`The monthly limit of ${count(limit ?? 0)} is used up. Raise it, or wait for the next month.`);
  for (const [name, label] of Object.entries(CATEGORIES)) {
    const category = categories[name as keyof typeof CATEGORIES];
    if (isUsedUp(category))
      reasons.push(`The monthly limit for ${label} (${count(category.limit ?? 0)}) is used up. Raise it, or wait for the next month.`);
  }
  return reasons;
}

/** Number of campaigns that are searched, newest first: those that are sending are among them. */
const LOOKED_AT = 100;
const LIVE_MS = 10_000;

/** Shows what is on hold, and why; nothing if nothing is. */
export function Held({ billing }: { readonly billing: Billing }): ReactNode {
  const reasons = reasonsOf(billing, useSession().project.disabled);
  const campaigns = useQuery({
    queryKey: ['campaigns', 'held'],
    queryFn: () => api.listCampaigns({ limit: LOOKED_AT }).page(),
    refetchInterval: LIVE_MS,
  });
  const waiting = (campaigns.data?.rows ?? []).filter(({ heldReason }) => heldReason !== null);
  if (reasons.length === 0 && waiting.length === 0) return null;
  return (
    <section className="notice bad" aria-label="Held mail">
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
        {waiting.map(({ campaignId, name, heldReason }) => (
          <li key={campaignId}>
            Campaign <Link to={`/campaigns/${campaignId}`}>{name}</Link> is on hold: {heldWords(heldReason ?? '')}.
          </li>
        ))}
      </ul>
      <p>
        <Link to="/mail?status=queued">View queued messages</Link>
      </p>
    </section>
  );
}
