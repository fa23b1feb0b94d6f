import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { When } from '../../parts/dates.tsx';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';
import { ReportsCard } from './reports.tsx';

type Domain = Schemas['Domain'];
type Check = Domain['dnsChecks'][number];

const PURPOSES: Readonly<Record<Check['purpose'], string>> = {
  ownership: 'Ownership',
  dkim: 'Signature (DKIM)',
  spf: 'Allowed senders (SPF)',
  dmarc: 'Policy (DMARC)',
  tracking: 'Tracking links',
  mailfrom: 'Return path',
};

const ANSWERS = {
  none: 'No record exists at this name.',
  unknown: 'The name servers did not respond.',
  found: 'No record of this type at this name.',
} as const;

/** Shows DNS's answer, next to the expected value. */
const Found = ({ check: { answer, found } }: { readonly check: Check }): ReactNode =>
  found.length > 0 ? (
    <code>{found.join('\n')}</code>
  ) : (
    <span className="hint">{answer === null ? 'Not checked yet.' : ANSWERS[answer]}</span>
  );

function Record({ domain, check }: { readonly domain: Domain; readonly check: Check }): ReactNode {
  const { purpose, type, host, expected } = check;
  const status = domain.dnsRecords.find((record) => record.purpose === purpose && record.host === host)?.status ?? 'pending';
  return (
    <Card title={PURPOSES[purpose]} actions={<Badge of={status} />}>
      <Facts
        facts={[
          ['Type', type],
          ['Name', <code key="host">{host}</code>],
          ['Expected', <code key="expected">{expected}</code>],
          ['Found', <Found key="found" check={check} />],
        ]}
      />
      <div className="actions">
        <CopyButton label="Copy name" text={host} />
        <CopyButton label="Copy value" text={expected} />
      </div>
    </Card>
  );
}

function Actions({ domain: { domainId, domain } }: { readonly domain: Domain }): ReactNode {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const again = (): void => void queries.invalidateQueries({ queryKey: ['domains'] });
  const checking = useMutation({ mutationFn: () => api.verifyDomain(domainId), onSuccess: again });
  return (
    <>
      {checking.error && <p className="fault">{checking.error.message}</p>}
      <button type="button" className="primary" disabled={checking.isPending} onClick={() => checking.mutate()}>
        {checking.isPending ? 'Checking DNS …' : 'Check now'}
      </button>
      <Confirm
        label="Remove domain"
        title={`Remove ${domain}?`}
        danger
        act={() => api.deleteDomain(domainId)}
        done={() => {
          again();
          void navigate('/domains');
        }}
      >
        You can no longer send from {domain}. Its DKIM key is deleted. If you add the domain again, publish the new records.
      </Confirm>
    </>
  );
}

/** Shows one domain: each record to publish, as expected and as found. */
export function DomainPage(): ReactNode {
  const { id = '' } = useParams();
  const mayChange = useMay('manage');
  const query = useQuery({ queryKey: ['domains', id], queryFn: () => api.getDomain(id) });
  const zone = useQuery({ queryKey: ['domains', id, 'zone'], queryFn: () => api.getDomainZone(id) });
  return (
    <Answer query={query} what="the domain">
      {(domain) => (
        <Page title={domain.domain} under={{ label: 'Domains', to: '/domains' }} actions={mayChange && <Actions domain={domain} />}>
          <Card title="Status" actions={<Badge of={domain.status} />}>
            <Facts
              facts={[
                ['Can send', domain.verifiedForSending ? 'Yes' : 'No. Publish the records, then check'],
                ['Last checked', <When key="last" at={domain.lastCheckedAt} />],
                ['Next check', domain.nextCheckAt && <When key="next" at={domain.nextCheckAt} />],
                ['Return path', domain.mailFromDomain],
              ]}
            />
          </Card>
          <div className="stack">
            {domain.dnsChecks.map((check) => (
              <Record key={`${check.purpose} ${check.host}`} domain={domain} check={check} />
            ))}
          </div>
          <ReportsCard domainId={domain.domainId} />
          {zone.data !== undefined && (
            <details className="card">
              <summary>All records as zone file</summary>
              <pre tabIndex={0}>{zone.data}</pre>
            </details>
          )}
        </Page>
      )}
    </Answer>
  );
}
