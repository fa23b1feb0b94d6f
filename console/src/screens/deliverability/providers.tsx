import type { ReactNode } from 'react';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { count, percent } from '../../parts/numbers.ts';
import { Card } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';

type Provider = Schemas['ProviderFigures'];

const COLUMNS = ['Provider', 'Sent', 'Delivered', 'Waiting to retry', 'Bounced', 'Policy refusals', 'Complaints', 'Last replies'];

const Replies = ({ replies }: Pick<Provider, 'replies'>): ReactNode =>
  replies.length === 0 ? (
    '–'
  ) : (
    <details>
      <summary>{count(replies.length)}</summary>
      <ul className="reason">
        {replies.map(({ reply, count: times }) => (
          <li key={reply}>
            {count(times)} × {reply}
          </li>
        ))}
      </ul>
    </details>
  );

const Row = ({ of }: { readonly of: Provider }): ReactNode => (
  <tr>
    <th scope="row">
      {of.provider} {of.hold !== null && <Badge of="campaigns held" tone="bad" />}{' '}
      {of.measures.length > 0 && (
        <Badge of={of.measures.some(({ do: what }) => what === 'suspend') ? 'suspended' : 'slowed down'} tone="warn" />
      )}
    </th>
    <td>{count(of.sent)}</td>
    <td>{count(of.delivered)}</td>
    <td>{count(of.deferred)}</td>
    <td>{count(of.bounced)}</td>
    <td>{count(of.policyRefusals)}</td>
    <td>{percent(of.complaintRate)}</td>
    <td>
      <Replies replies={of.replies} />
    </td>
  </tr>
);

/** Shows the outcome of the mail to each provider. */
export const Providers = ({ providers }: { readonly providers: readonly Provider[] }): ReactNode => (
  <Card title="Providers">
    <Table label="Mail by provider" columns={COLUMNS}>
      {providers.map((one) => (
        <Row key={one.provider} of={one} />
      ))}
    </Table>
    <p className="hint">Complaints are a share of delivered mail. Keep them below 0.1 %: above 0.3 %, Gmail and Yahoo refuse mail.</p>
  </Card>
);
