import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../api.ts';
import type { Schemas } from '../api.ts';
import { Badge } from '../badge.tsx';
import { contentName } from '../languages/names.ts';
import { Card } from '../page.tsx';
import './checks.css';

/** A check before a launch, with what it found. */
export type Check = Schemas['PreflightCheck'];

/** Pages on which to correct what a check found. */
const PLACES: Readonly<Partial<Record<Check['check'], readonly [to: string, words: string]>>> = {
  sending_domain: ['/domains', 'Open domains'],
  dmarc: ['/domains', 'Open domains'],
  postal_address: ['/settings', 'Add one in the settings'],
};

const Place = ({ of }: { readonly of: Check['check'] }): ReactNode => {
  const place = PLACES[of];
  return place && <Link to={place[0]}>{place[1]}</Link>;
};

/** Shows a text of the API, in which backticks enclose code. */
const Ticked = ({ text }: { readonly text: string }): ReactNode =>
  text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));

const Item = ({ check: { check, level, what, how, detail, languages } }: { readonly check: Check }): ReactNode => (
  <li>
    <Badge of={level} tone={level === 'block' ? 'bad' : level === 'warn' ? 'warn' : 'good'} />
    <div>
      <p>
        <strong>
          {check.replaceAll('_', ' ')}
          {languages && ` (${languages.map(contentName).join(', ')})`}
        </strong>
        : {what}
      </p>
      {detail !== undefined && <p className="hint">{detail}</p>}
      {level !== 'ok' && (
        <p>
          <Ticked text={how} /> <Place of={check} />
        </p>
      )}
    </div>
  </li>
);

/** Lists what checks found. */
export const Checks = ({ checks }: { readonly checks: readonly Check[] }): ReactNode => (
  <ul className="checklist">
    {checks.map((check) => (
      <Item key={`${check.check} ${check.languages?.join() ?? ''}`} check={check} />
    ))}
  </ul>
);

/** Returns what needs attention, the worst first. */
export const openOf = (checks: readonly Check[]): readonly Check[] => [
  ...checks.filter(({ level }) => level === 'block'),
  ...checks.filter(({ level }) => level === 'warn'),
];

interface StandingProps {
  readonly campaignId: string;
  readonly hint?: string;
}

/** Shows what the checks of a draft or a scheduled campaign find now, without those that ask other servers; nothing while all is fine. */
export function StandingChecks({ campaignId, hint }: StandingProps): ReactNode {
  const { data, error } = useQuery({
    queryKey: ['campaigns', campaignId, 'checks'],
    queryFn: () => api.preflightCampaign(campaignId, { fetch: false }),
  });
  const open = openOf(data?.checks ?? []);
  if (open.length === 0 && !error) return null;
  return (
    <Card title="Checks">
      {error ? <p role="status">The checks failed: {error.message}</p> : hint !== undefined && <p className="hint">{hint}</p>}
      <Checks checks={open} />
    </Card>
  );
}
