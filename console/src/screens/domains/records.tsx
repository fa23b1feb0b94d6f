import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { ChoiceField } from '../../parts/fields.tsx';
import { Card } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
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
export function Records({ domain }: { readonly domain: Domain }): ReactNode {
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
