import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { ArchivableList } from '../../parts/archivable-list.tsx';
import { When } from '../../parts/dates.tsx';
import { count } from '../../parts/numbers.ts';
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
export const Segments = (): ReactNode => (
  <ArchivableList
    kind="segment"
    title="Segments"
    mayChange={useMay('change')}
    choice={{ by: 'type', label: 'Type', options: Object.entries(KINDS) }}
    rows={(query: Query) => api.listSegments({ ...query, limit: 50 })}
    idOf={({ segmentId }) => segmentId}
    columns={COLUMNS}
    create="/segments/new"
    about="A segment is a group of contacts for campaigns and automations. Create one from conditions, or add contacts yourself."
  />
);
