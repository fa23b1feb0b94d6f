import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import { Checks, openOf } from '../../parts/campaign/checks.tsx';
import type { Check } from '../../parts/campaign/checks.tsx';
import { CheckField, TextField } from '../../parts/fields.tsx';

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

const Passed = ({ checks }: { readonly checks: readonly Check[] }): ReactNode =>
  checks.length > 0 && (
    <details>
      <summary>{checks.length === 1 ? '1 check passed' : `${checks.length} checks passed`}</summary>
      <Checks checks={checks} />
    </details>
  );

const Override = ({ isForced, setForced, reason, setReason }: Preflight): ReactNode => (
  <>
    <CheckField label="Send anyway" checked={isForced} change={setForced} />
    {isForced && <TextField label="Reason" value={reason} change={setReason} maxLength={500} hint="Stored in the audit" />}
  </>
);

/** Shows what the checks before a launch found: what needs attention first. A launch that is blocked can be forced, with a reason. */
export function Checklist(of: Preflight): ReactNode {
  const { preflight, error } = of;
  if (!preflight)
    return error ? <p role="status">The checks failed: {error.message}</p> : <p role="status">Checking sender, content and links …</p>;
  const { checks, blocking } = preflight;
  const open = openOf(checks);
  return (
    <section aria-label="Checks before the launch">
      {open.length > 0 && <Checks checks={open} />}
      <Passed checks={checks.filter(({ level }) => level === 'ok')} />
      {blocking && <Override {...of} />}
    </section>
  );
}
