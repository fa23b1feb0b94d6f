import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { When } from '../../parts/dates.tsx';
import { List } from '../../parts/list.tsx';
import { count } from '../../parts/numbers.ts';
import { Page } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';
import { KINDS } from './kinds.ts';

type Segment = Schemas['Segment'];

const COLUMNS = [
  {
    name: 'Segment',
    show: ({ segmentId, name }: Segment) => (
      <Link to={`/segments/${segmentId}`} className="row-link">
        {name}
      </Link>
    ),
  },
  { name: 'Members', show: ({ memberCount }: Segment) => count(memberCount) },
  { name: 'Type', show: ({ type }: Segment) => KINDS[type] },
  { name: 'Description', show: ({ description }: Segment) => <span className="reason">{description ?? ''}</span> },
  { name: 'Updated', show: ({ updatedAt }: Segment) => <When at={updatedAt} /> },
];

/** Shows every segment, newest first, with how many are in it. */
export function Segments(): ReactNode {
  const mayChange = useMay('change');
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
      <List
        caption="segments"
        queryKey={['segments', 'list']}
        rows={() => api.listSegments({ limit: 50 })}
        idOf={({ segmentId }) => segmentId}
        columns={COLUMNS}
        empty={
          <Empty title="No segments yet">
            <p>A segment is a group of contacts for campaigns and automations. Create one from conditions, or add contacts yourself.</p>
          </Empty>
        }
      />
    </Page>
  );
}
