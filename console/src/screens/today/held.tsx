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
  transactional: 'messages of the API',
  campaign: 'campaigns',
  workflow: 'automations',
  inbound: 'received mail',
} as const;

const isUsedUp = ({ limit, used }: { readonly limit: number | null; readonly used: number }): boolean => limit !== null && used >= limit;

/** Why mail waits or is refused, each with what to do about it. */
function reasonsOf({ reputation, used, limit, categories }: Billing, isDisabled: boolean): readonly string[] {
  const reasons: string[] = [];
  if (isDisabled) reasons.push('Sending is disabled: every message is skipped. An operator enables the project again.');
  if (reputation.state === 'paused')
    reasons.push(
      'Sending is paused, for too much mail came back or was complained about. Clean the lists, then ask an operator to reset the reputation.',
    );
  if (reputation.state === 'throttled')
    reasons.push(
      'Campaigns go out slowly, for too much mail came back or was complained about. Send to fewer, more engaged people until the rates have fallen.',
    );
  if (isUsedUp({ limit, used }))
    reasons.push(`The cap of ${count(limit ?? 0)} for this month is used up. Raise it, or wait for the next month.`);
  for (const [name, label] of Object.entries(CATEGORIES)) {
    const category = categories[name as keyof typeof CATEGORIES];
    if (isUsedUp(category))
      reasons.push(`The cap for ${label} (${count(category.limit ?? 0)}) is used up. Raise it, or wait for the next month.`);
  }
  return reasons;
}

/** How many campaigns are looked through, newest first: those that are sent are among them. */
const LOOKED_AT = 100;
const LIVE_MS = 10_000;

/** What is held, and why; nothing where nothing is. */
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
    <section className="notice bad" aria-label="What is held">
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
        {waiting.map(({ campaignId, name, heldReason }) => (
          <li key={campaignId}>
            The campaign <Link to={`/campaigns/${campaignId}`}>{name}</Link> waits: {heldWords(heldReason ?? '')}.
          </li>
        ))}
      </ul>
      <p>
        <Link to="/mail?status=queued">See what waits</Link>
      </p>
    </section>
  );
}
