import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { ArchiveBulk } from '../../parts/archive.tsx';
import { When } from '../../parts/dates.tsx';
import { given, useFilters } from '../../parts/filters.ts';
import { List } from '../../parts/list.tsx';
import { NamedFilters } from '../../parts/named-filters.tsx';
import { count } from '../../parts/numbers.ts';
import { Page } from '../../parts/page.tsx';
import { useSelection } from '../../parts/selection.ts';
import { Empty } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';
import { KINDS } from './kinds.ts';

type Segment = Schemas['Segment'];
type Query = NonNullable<Parameters<typeof api.listSegments>[0]>;

const COLUMNS = [
  {
    name: 'Segment',
    show: ({ segmentId, name }: Segment) => (
      <Link to={`/segments/${segmentId}`} className="row-link">
        {name}
      </Link>
    ),
    sortValue: ({ name }: Segment) => name,
  },
  { name: 'Members', show: ({ memberCount }: Segment) => count(memberCount), sortValue: ({ memberCount }: Segment) => memberCount },
  { name: 'Type', show: ({ type }: Segment) => KINDS[type], sortValue: ({ type }: Segment) => KINDS[type] },
  { name: 'Description', show: ({ description }: Segment) => <span className="reason">{description ?? ''}</span> },
  { name: 'Updated', show: ({ updatedAt }: Segment) => <When at={updatedAt} />, sortValue: ({ updatedAt }: Segment) => updatedAt },
];

/** Shows every segment, newest first, with how many are in it. */
export function Segments(): ReactNode {
  const mayChange = useMay('change');
  const { filters, setFilter, isFiltered } = useFilters(['search', 'type', 'archived']);
  const isArchived = filters.archived === 'true';
  const query = { ...given({ ...filters, limit: 50 }), archived: isArchived } as Query;
  const selection = useSelection(JSON.stringify(query));
  return (
    <Page
      title="Segments"
      actions={
        mayChange && (
          <Link className="button primary" to="/segments/new">
            New segment
          </Link>
        )
      }
    >
      <NamedFilters filters={filters} setFilter={setFilter} by="type" label="Type" options={Object.entries(KINDS)} />
      <ArchiveBulk kind="segment" selection={selection} isArchived={isArchived} />
      <List
        caption="segments"
        queryKey={['segments', 'list', query]}
        rows={() => api.listSegments(query)}
        idOf={({ segmentId }) => segmentId}
        columns={COLUMNS}
        selecting={mayChange ? { selection, nameOf: ({ name }) => name } : undefined}
        empty={
          <Empty
            title={isFiltered ? 'No matching segments' : 'No segments yet'}
            next={mayChange && !isFiltered && { label: 'Create your first segment', to: '/segments/new' }}
          >
            <p>A segment is a group of contacts for campaigns and automations. Create one from conditions, or add contacts yourself.</p>
          </Empty>
        }
      />
    </Page>
  );
}
