import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { When } from '../../parts/dates.tsx';
import { List } from '../../parts/list.tsx';
import { count } from '../../parts/numbers.ts';
import { Page } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';

type Row = Schemas['Campaign'];

const hasBegun = ({ status }: Row): boolean => status === 'sending' || status === 'sent';

const COLUMNS = [
  {
    name: 'Campaign',
    show: ({ campaignId, name }: Row) => (
      <Link to={`/campaigns/${campaignId}`} className="row-link">
        {name}
      </Link>
    ),
  },
  {
    name: 'Status',
    show: ({ status, testMode, schedule }: Row) => (
      <>
        <Badge of={status} /> {schedule && <Badge of="recurring" />} {testMode && <Badge of="test" />}
      </>
    ),
  },
  { name: 'Recipients', show: (row: Row) => (hasBegun(row) ? count(row.totalRecipients) : '') },
  { name: 'Opened', show: (row: Row) => (hasBegun(row) ? count(row.opened) : '') },
  { name: 'Clicked', show: (row: Row) => (hasBegun(row) ? count(row.clicked) : '') },
  { name: 'Date', show: ({ sentAt, scheduledFor, createdAt }: Row) => <When at={sentAt ?? scheduledFor ?? createdAt} /> },
];

/** Shows every campaign, newest first, with what came of it. */
export function Campaigns(): ReactNode {
  const mayChange = useMay('change');
  return (
    <Page
      title="Campaigns"
      actions={
        mayChange && (
          <Link className="button primary" to="/campaigns/start">
            New campaign
          </Link>
        )
      }
    >
      <List
        caption="campaigns"
        queryKey={['campaigns', 'list']}
        rows={() => api.listCampaigns({ limit: 50 })}
        idOf={({ campaignId }) => campaignId}
        columns={COLUMNS}
        empty={
          <Empty title="No campaigns yet">
            <p>A campaign sends one message to many contacts. Create one, check its audience, then send or schedule it.</p>
          </Empty>
        }
      />
    </Page>
  );
}
