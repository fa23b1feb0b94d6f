import type { ReactNode } from 'react';
import type { Schemas } from './api.ts';
import { count } from './numbers.ts';
import { Card } from './page.tsx';

const CATEGORIES = [
  ['transactional', 'Sent by the API'],
  ['campaign', 'Campaigns'],
  ['workflow', 'Automations'],
  ['inbound', 'Received'],
] as const;

function Bar({ label, used, limit }: { readonly label: string; readonly used: number; readonly limit: number | null }): ReactNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {count(used)}
        {limit === null ? ', no cap' : ` of ${count(limit)}`}
        {limit !== null && (
          <meter aria-label={`${label}, used of the cap`} min={0} max={Math.max(limit, 1)} high={limit * 0.8} value={used} />
        )}
      </dd>
    </div>
  );
}

/** What of this month's caps is used. */
export const Usage = ({ billing }: { readonly billing: Schemas['Billing'] }): ReactNode => (
  <Card title={`Usage in ${billing.month}`}>
    <dl className="facts">
      <Bar label="In all" used={billing.used} limit={billing.limit} />
      {CATEGORIES.map(([name, label]) => (
        <Bar key={name} label={label} {...billing.categories[name]} />
      ))}
    </dl>
  </Card>
);
