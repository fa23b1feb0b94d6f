import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { ActionButton } from '../../parts/action-button.tsx';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { useChanged, useDeleted } from '../../parts/changed.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { When } from '../../parts/dates.tsx';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';
import { Records } from './records.tsx';
import { ReportsCard } from './reports.tsx';

type Domain = Schemas['Domain'];

function Actions({ domain: { domainId, domain } }: { readonly domain: Domain }): ReactNode {
  return (
    <>
      <ActionButton
        label="Check now"
        acting="Checking DNS …"
        className="primary"
        act={() => api.verifyDomain(domainId)}
        done={useChanged('domains')}
        said={({ status }) => (status === 'verified' ? `${domain} is verified.` : `${domain} is not verified yet.`)}
      />
      <Confirm
        label="Remove domain"
        title={`Remove ${domain}?`}
        danger
        act={() => api.deleteDomain(domainId)}
        done={useDeleted('domains')}
        said={`${domain} removed.`}
      >
        You can no longer send from {domain}. Its DKIM key is deleted. If you add the domain again, publish the new records.
      </Confirm>
    </>
  );
}

/** Shows one domain: whether it can send, its records, and who sends with it. */
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
          <Records domain={domain} />
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
