import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { ActionButton } from '../../parts/action-button.tsx';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { useChanged, useDeleted } from '../../parts/changed.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { When } from '../../parts/dates.tsx';
import { ChoiceField } from '../../parts/fields.tsx';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { useMay } from '../../session/session.ts';
import { ReportsCard } from './reports.tsx';
import './records.css';

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

/** Returns whether a domain needs the record before it can send. */
const isRequired = ({ purpose }: Check): boolean => purpose === 'ownership' || purpose === 'dkim';

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

/** Returns the zones at a provider that a domain may be in: itself, and the domains above it. */
function zonesOf(domain: string): readonly string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
}

/** Returns a name as it is entered where the provider appends the zone. */
function nameWithin(zone: string, host: string): string {
  if (zone === '') return host;
  return host === zone ? '@' : host.slice(0, -zone.length - 1);
}

function Row({ domain, check, zone }: { readonly domain: Domain; readonly check: Check; readonly zone: string }): ReactNode {
  const { purpose, type, host, expected } = check;
  const status = domain.dnsRecords.find((record) => record.purpose === purpose && record.host === host)?.status ?? 'pending';
  const name = nameWithin(zone, host);
  return (
    <tr>
      <th scope="row">
        {PURPOSES[purpose]}
        <p className="hint">{isRequired(check) ? 'Required' : 'Recommended'}</p>
      </th>
      <td>{type}</td>
      <td>
        <code>{name}</code>
        <CopyButton label="Copy name" text={name} />
      </td>
      <td>
        <code>{expected}</code>
        <CopyButton label="Copy value" text={expected} />
      </td>
      <td>
        <Badge of={status} />
        <p>
          <Found check={check} />
        </p>
      </td>
    </tr>
  );
}

/** Shows the records to publish, those first that a domain needs to send, as expected and as found. */
function Records({ domain }: { readonly domain: Domain }): ReactNode {
  const [zone, setZone] = useState('');
  const checks = [...domain.dnsChecks].sort((a, b) => Number(isRequired(b)) - Number(isRequired(a)));
  return (
    <Card title="DNS records">
      <div className="dns-records">
        <ChoiceField
          label="Names"
          value={zone}
          options={[['', 'Full names'], ...zonesOf(domain.domain).map((each) => [each, `Without .${each}`] as const)]}
          change={setZone}
        />
        <p className="hint">Most providers append the domain to the names that you enter. Choose the domain that you manage there.</p>
        <Table label="DNS records" columns={['Record', 'Type', 'Name', 'Value', 'Found']}>
          {checks.map((check) => (
            <Row key={`${check.purpose} ${check.host}`} domain={domain} check={check} zone={zone} />
          ))}
        </Table>
      </div>
    </Card>
  );
}

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
