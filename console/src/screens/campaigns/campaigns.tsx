import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { ArchiveBulk } from '../../parts/archive.tsx';
import { Badge } from '../../parts/badge.tsx';
import { When } from '../../parts/dates.tsx';
import { given, useFilters } from '../../parts/filters.ts';
import { List } from '../../parts/list.tsx';
import { NamedFilters } from '../../parts/named-filters.tsx';
import { count } from '../../parts/numbers.ts';
import { Page } from '../../parts/page.tsx';
import { useSelection } from '../../parts/selection.ts';
import { Empty } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';

type Row = Schemas['Campaign'];
type Query = NonNullable<Parameters<typeof api.listCampaigns>[0]>;

const STATUSES = [
  ['draft', 'Draft'],
  ['scheduled', 'Scheduled'],
  ['sending', 'Sending'],
  ['sent', 'Sent'],
  ['cancelled', 'Cancelled'],
] as const;

const hasBegun = ({ status }: Row): boolean => status === 'sending' || status === 'sent';

const dateOf = ({ sentAt, scheduledFor, createdAt }: Row): string => sentAt ?? scheduledFor ?? createdAt;

/** Returns a column with a number of a campaign that has begun. */
const figure = (name: string, of: (row: Row) => number) => ({
  name,
  show: (row: Row) => (hasBegun(row) ? count(of(row)) : ''),
  sortValue: (row: Row) => (hasBegun(row) ? of(row) : null),
});

const COLUMNS = [
  {
    name: 'Campaign',
    show: ({ campaignId, name, subject }: Row) => (
      <>
        <Link to={`/campaigns/${campaignId}`} className="row-link">
          {name}
        </Link>
        {subject !== name && <div className="hint">{subject}</div>}
      </>
    ),
    sortValue: ({ name }: Row) => name,
  },
  {
    name: 'Status',
    show: ({ status, testMode, schedule }: Row) => (
      <>
        <Badge of={status} /> {schedule && <Badge of="recurring" />} {testMode && <Badge of="test" />}
      </>
    ),
    sortValue: ({ status }: Row) => status,
  },
  figure('Recipients', ({ totalRecipients }) => totalRecipients),
  figure('Opened', ({ opened }) => opened),
  figure('Clicked', ({ clicked }) => clicked),
  { name: 'Date', show: (row: Row) => <When at={dateOf(row)} />, sortValue: dateOf },
];

/** Shows every campaign, newest first, with what came of it. */
export function Campaigns(): ReactNode {
  const mayChange = useMay('change');
  const { filters, setFilter, isFiltered } = useFilters(['search', 'status', 'archived']);
  const isArchived = filters.archived === 'true';
  const query = { ...given({ ...filters, limit: 50 }), archived: isArchived } as Query;
  const selection = useSelection(JSON.stringify(query));
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
      <NamedFilters filters={filters} setFilter={setFilter} by="status" label="Status" options={STATUSES} />
      <ArchiveBulk kind="campaign" selection={selection} isArchived={isArchived} />
      <List
        caption="campaigns"
        queryKey={['campaigns', 'list', query]}
        rows={() => api.listCampaigns(query)}
        idOf={({ campaignId }) => campaignId}
        columns={COLUMNS}
        selecting={mayChange ? { selection, nameOf: ({ name }) => name } : undefined}
        empty={
          <Empty
            title={isFiltered ? 'No matching campaigns' : 'No campaigns yet'}
            next={mayChange && !isFiltered && { label: 'Create your first campaign', to: '/campaigns/start' }}
          >
            <p>A campaign sends one message to many contacts. Create one, check its audience, then send or schedule it.</p>
          </Empty>
        }
      />
    </Page>
  );
}
