import type { ReactNode } from 'react';
import type { Schemas } from './api.ts';
import { monthOf } from './dates.tsx';
import { count } from './numbers.ts';
import { Card } from './page.tsx';

const CATEGORIES = [
  ['transactional', 'API'],
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
        {limit === null ? <span className="hint"> no limit</span> : ` of ${count(limit)}`}
        {limit !== null && (
          <meter aria-label={`${label}: share of the limit used`} min={0} max={Math.max(limit, 1)} high={limit * 0.8} value={used} />
        )}
      </dd>
    </div>
  );
}

/** Shows how much of each monthly limit is used. */
export const Usage = ({ billing }: { readonly billing: Schemas['Billing'] }): ReactNode => (
  <Card title={`Usage, ${monthOf(billing.month)}`}>
    <dl className="facts">
      <Bar label="Total" used={billing.used} limit={billing.limit} />
      {CATEGORIES.map(([name, label]) => (
        <Bar key={name} label={label} {...billing.categories[name]} />
      ))}
    </dl>
  </Card>
);
