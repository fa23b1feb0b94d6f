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

/** Number of objects of each kind that are searched, newest first. */
const MOST = 200;

interface Use {
  readonly to: string;
  readonly name: string;
  readonly kind: string;
}

/** Resolves to the objects that use a segment: ids are unique, so an object that contains one refers to it. */
async function usesOf(id: string): Promise<readonly Use[]> {
  const [campaigns, automations, segments] = await Promise.all([
    api.listCampaigns({ limit: 100 }).toArray(MOST),
    api.listWorkflows({ limit: 100 }).toArray(MOST),
    api.listSegments({ limit: 100 }).toArray(MOST),
  ]);
  const names = (...places: readonly unknown[]): boolean => JSON.stringify(places).includes(id);
  return [
    ...campaigns
      .filter(({ segmentId, filter }) => names(segmentId, filter))
      .map(({ campaignId, name }) => ({ to: `/campaigns/${campaignId}`, name, kind: 'campaign' })),
    ...automations
      .filter(({ trigger, graph }) => names(trigger, graph))
      .map(({ workflowId, name }) => ({ to: `/automations/${workflowId}`, name, kind: 'automation' })),
    ...segments
      .filter(({ conditions }) => names(conditions))
      .map(({ segmentId, name }) => ({ to: `/segments/${segmentId}`, name, kind: 'segment' })),
  ];
}

/** Shows where a segment is used: until then it cannot be deleted. */
function Uses({ id }: { readonly id: string }): ReactNode {
  const query = useQuery({ queryKey: ['segments', id, 'uses'], queryFn: () => usesOf(id) });
  return (
    <Card title="Used by">
      <Answer query={query} what="uses">
        {(uses) =>
          uses.length === 0 ? (
            <p className="hint">None of the newest {MOST} campaigns, automations and segments use it.</p>
          ) : (
            <ul>
              {uses.map(({ to, name, kind }) => (
                <li key={to}>
                  <Link to={to}>{name}</Link> <span className="hint">{kind}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </Card>
  );
}

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
