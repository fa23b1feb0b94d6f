import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { CheckField, TextField } from '../../parts/fields.tsx';
import { contentName } from '../../parts/languages/names.ts';
import { Card } from '../../parts/page.tsx';
import './checklist.css';

type Check = Schemas['PreflightCheck'];

/** Runs the checks each time the dialog opens. A launch does not wait for them: the API refuses what it has to. */
export function usePreflight(campaignId: string) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['campaigns', campaignId, 'preflight'],
    queryFn: () => api.preflightCampaign(campaignId),
    enabled: false,
  });
  const [isForced, setForced] = useState(false);
  const [reason, setReason] = useState('');
  const checkAgain = (): void => {
    setForced(false);
    setReason('');
    void refetch();
  };
  /** The members of a launch that override what blocks it. */
  const force = isForced ? { force: true, ...(reason.trim() !== '' && { forceReason: reason.trim() }) } : {};
  return { preflight: isFetching ? undefined : data, error, checkAgain, force, isForced, setForced, reason, setReason };
}

type Preflight = ReturnType<typeof usePreflight>;

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
          {how} <Place of={check} />
        </p>
      )}
    </div>
  </li>
);

const List = ({ checks }: { readonly checks: readonly Check[] }): ReactNode => (
  <ul className="checklist">
    {checks.map((check) => (
      <Item key={`${check.check} ${check.languages?.join() ?? ''}`} check={check} />
    ))}
  </ul>
);

const Passed = ({ checks }: { readonly checks: readonly Check[] }): ReactNode =>
  checks.length > 0 && (
    <details>
      <summary>{checks.length === 1 ? '1 check passed' : `${checks.length} checks passed`}</summary>
      <List checks={checks} />
    </details>
  );

const Override = ({ isForced, setForced, reason, setReason }: Preflight): ReactNode => (
  <>
    <CheckField label="Send anyway" checked={isForced} change={setForced} />
    {isForced && <TextField label="Reason" value={reason} change={setReason} maxLength={500} hint="Stored in the audit" />}
  </>
);

const openOf = (checks: readonly Check[]): readonly Check[] => [
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
      <List checks={open} />
    </Card>
  );
}

/** Shows what the checks before a launch found: what needs attention first. A launch that is blocked can be forced, with a reason. */
export function Checklist(of: Preflight): ReactNode {
  const { preflight, error } = of;
  if (!preflight)
    return error ? <p role="status">The checks failed: {error.message}</p> : <p role="status">Checking sender, content and links …</p>;
  const { checks, blocking } = preflight;
  const open = openOf(checks);
  return (
    <section aria-label="Checks before the launch">
      {open.length > 0 && <List checks={open} />}
      <Passed checks={checks.filter(({ level }) => level === 'ok')} />
      {blocking && <Override {...of} />}
    </section>
  );
}
