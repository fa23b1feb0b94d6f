import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { useOpened } from '../../parts/changed.ts';
import { When } from '../../parts/dates.tsx';
import { TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { List } from '../../parts/list.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';

type Domain = Schemas['Domain'];

const COLUMNS = [
  {
    name: 'Domain',
    show: ({ domainId, domain }: Domain) => (
      <Link to={`/domains/${domainId}`} className="row-link">
        {domain}
      </Link>
    ),
  },
  { name: 'Status', show: ({ status }: Domain) => <Badge of={status} />, sortValue: ({ status }: Domain) => status },
  {
    name: 'Records',
    show: ({ dnsRecords }: Domain) => `${dnsRecords.filter(({ status }) => status === 'verified').length} of ${dnsRecords.length} verified`,
  },
  {
    name: 'Last checked',
    show: ({ lastCheckedAt }: Domain) => <When at={lastCheckedAt} />,
    sortValue: ({ lastCheckedAt }: Domain) => lastCheckedAt,
  },
];

function AddDomain(): ReactNode {
  const [domain, setDomain] = useState('');
  const opened = useOpened('domains');
  // Its records are what the person has to publish next.
  const add = async (): Promise<void> => {
    const { domainId } = await api.createDomain({ domain: domain.trim() });
    opened(domainId);
  };
  return (
    <FormDialog
      label="Add domain"
      title="Add a sending domain"
      primary
      save="Add domain"
      begin={() => setDomain('')}
      send={add}
      said="Domain added."
    >
      <TextField label="Domain" required value={domain} change={setDomain} placeholder="mail.example.com" />
    </FormDialog>
  );
}

/** Shows the domains that mail is sent from. */
export function Domains(): ReactNode {
  const mayChange = useMay('manage');
  return (
    <Page title="Domains" actions={mayChange && <AddDomain />}>
      <List
        caption="domains"
        queryKey={['domains']}
        rows={() => api.listDomains()}
        idOf={({ domainId }) => domainId}
        columns={COLUMNS}
        empty={
          <Empty title="No domains yet">
            <p>To send from your own domain, add it here, then publish its DNS records.</p>
          </Empty>
        }
      />
    </Page>
  );
}
