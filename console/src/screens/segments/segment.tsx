import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Conditions } from '../../parts/conditions/conditions.tsx';
import { When } from '../../parts/dates.tsx';
import { List } from '../../parts/list.tsx';
import { count } from '../../parts/numbers.ts';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';
import { RemoveMember, SegmentActions } from './actions.tsx';
import { KINDS } from './kinds.ts';
import { Uses } from './uses.tsx';

type Segment = Schemas['Segment'];
type Member = Schemas['SegmentMember'];

const COLUMNS = [
  {
    name: 'Member',
    show: ({ contactId, email }: Member) => (
      <Link to={`/contacts/${contactId}`} className="row-link">
        {email}
      </Link>
    ),
  },
  { name: 'Name', show: ({ firstName, lastName }: Member) => [firstName, lastName].filter(Boolean).join(' ') },
  { name: 'Member since', show: ({ enteredAt }: Member) => <When at={enteredAt} />, sortValue: ({ enteredAt }: Member) => enteredAt },
];

function Members({ segment: { segmentId, memberCount, type } }: { readonly segment: Segment }): ReactNode {
  const mayChange = useMay('change');
  const remove = {
    name: 'Action',
    show: ({ contactId, email }: Member) => <RemoveMember id={segmentId} contactId={contactId} email={email} />,
  };
  return (
    <Card title="Members">
      <List
        caption="members"
        queryKey={['segments', segmentId, 'members', memberCount]}
        rows={() => api.listSegmentMembers(segmentId, { limit: 50 })}
        exportPath={`/v1/contacts/export?${new URLSearchParams({ segmentId })}`}
        idOf={({ contactId }) => contactId}
        columns={type === 'static' && mayChange ? [...COLUMNS, remove] : COLUMNS}
        empty={<p className="hint">This segment has no members.</p>}
      />
    </Card>
  );
}

/** Shows one segment: who belongs to it and why, who is in it now, and what uses it. */
export function SegmentPage(): ReactNode {
  const { id = '' } = useParams();
  const query = useQuery({ queryKey: ['segments', id], queryFn: () => api.getSegment(id) });
  const under = { label: 'Segments', to: '/segments' };
  return (
    <Answer query={query} what="the segment">
      {(segment) => (
        <Page title={segment.name} under={under} actions={<SegmentActions segment={segment} />}>
          <div className="columns">
            <div>
              <Card title="Details">
                <Facts
                  facts={[
                    ['Members', count(segment.memberCount)],
                    ['Type', KINDS[segment.type]],
                    ['Conditions', segment.conditions && <Conditions key="conditions" tree={segment.conditions} />],
                    ['Description', segment.description],
                    ['Created', <When key="created" at={segment.createdAt} />],
                    ['Updated', <When key="updated" at={segment.updatedAt} />],
                    ['Archived', segment.archivedAt && <When key="archived" at={segment.archivedAt} />],
                  ]}
                />
              </Card>
              <Uses id={id} />
            </div>
            <Members segment={segment} />
          </div>
        </Page>
      )}
    </Answer>
  );
}
