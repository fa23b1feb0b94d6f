import type { ReactNode } from 'react';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { count, percent } from '../../parts/numbers.ts';
import { Card } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';

const WINDOWS = [
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['all', 'All time'],
] as const;

interface Props {
  readonly reputation: Schemas['Billing']['reputation'];
  readonly reason: string | null;
}

/** Shows the reputation of a sender with these bounces and complaints. */
export const Reputation = ({ reputation, reason }: Props): ReactNode => (
  <Card title="Reputation" actions={<Badge of={reputation.state} />}>
    {reason !== null && <p className="notice">{reason}</p>}
    <Table label="Reputation by time window" columns={['Window', 'Sent', 'Bounces', 'Complaints', 'Status']}>
      {WINDOWS.map(([name, label]) => {
        const { sent, bounceRate, complaintRate, state } = reputation.windows[name];
        return (
          <tr key={name}>
            <th scope="row">{label}</th>
            <td>{count(sent)}</td>
            <td>{percent(bounceRate)}</td>
            <td>{percent(complaintRate)}</td>
            <td>
              <Badge of={state} />
            </td>
          </tr>
        );
      })}
    </Table>
  </Card>
);
