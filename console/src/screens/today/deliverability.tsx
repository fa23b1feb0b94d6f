import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { count, percent } from '../../parts/numbers.ts';
import { Card } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';

const COLUMNS = ['Provider', 'Sent', 'Delivered', 'Deferred', 'Bounced', 'Policy refusals', 'Complaints', 'Last replies'];

const Replies = ({ replies }: Pick<Schemas['ProviderFigures'], 'replies'>): ReactNode =>
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

const Row = ({ of }: { readonly of: Schemas['ProviderFigures'] }): ReactNode => (
  <tr>
    <th scope="row">
      {of.provider} {of.heldSince !== null && <Badge of="campaigns held" tone="bad" />}
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

/** Shows the outcome of the mail of the last days to each provider. */
export function Deliverability({ days }: { readonly days: number }): ReactNode {
  const query = useQuery({ queryKey: ['deliverability', days], queryFn: () => api.listProviders({ days }) });
  return (
    <Card title="Deliverability">
      <Answer query={query} what="deliverability">
        {({ providers }) =>
          providers.length === 0 ? (
            <p>No mail was sent in this period.</p>
          ) : (
            <Table label="Mail by provider" columns={COLUMNS}>
              {providers.map((one) => (
                <Row key={one.provider} of={one} />
              ))}
            </Table>
          )
        }
      </Answer>
    </Card>
  );
}
