import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { ArchivableList } from '../../parts/archivable-list.tsx';
import { Badge } from '../../parts/badge.tsx';
import { When } from '../../parts/dates.tsx';
import { count } from '../../parts/numbers.ts';
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
export const Campaigns = (): ReactNode => (
  <ArchivableList
    kind="campaign"
    title="Campaigns"
    mayChange={useMay('change')}
    choice={{ by: 'status', label: 'Status', options: STATUSES }}
    rows={(query: Query) => api.listCampaigns({ ...query, limit: 50 })}
    idOf={({ campaignId }) => campaignId}
    columns={COLUMNS}
    create="/campaigns/start"
    about="A campaign sends one message to many contacts. Create one, check its audience, then send or schedule it."
  />
);
