import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { When } from '../../parts/dates.tsx';
import { Detail } from '../../parts/detail.tsx';
import { Entries } from '../../parts/entries.tsx';
import { Card } from '../../parts/page.tsx';

/** Returns the page with an entry's details: the message, the execution, or the automation. */
function placeOf(emailId: string | null, workflowId: string | null, data: Schemas['TimelineEntry']['data']): string | null {
  if (emailId !== null) return `/mail/${emailId}`;
  const executionId = data?.['executionId'];
  if (typeof executionId === 'string') return `/executions/${executionId}`;
  return workflowId === null ? null : `/automations/${workflowId}`;
}

const Named = ({ to, children }: { readonly to: string | null; readonly children: string }): ReactNode =>
  to === null ? children : <Link to={to}>{children}</Link>;

function Entry({ entry: { name, createdAt, emailId, workflowId, data } }: { readonly entry: Schemas['TimelineEntry'] }): ReactNode {
  return (
    <>
      <strong>
        <Named to={placeOf(emailId, workflowId, data)}>{name}</Named>
      </strong>{' '}
      <When at={createdAt} />
      <Detail data={data} />
    </>
  );
}

/** Shows all that has happened with a person, newest first. */
export const Timeline = ({ contactId }: { readonly contactId: string }): ReactNode => (
  <Card title="Timeline">
    <Entries
      what="the timeline"
      queryKey={['contacts', contactId, 'timeline']}
      rows={() => api.getContactTimeline(contactId)}
      idOf={({ entryId }) => entryId}
      show={(entry) => <Entry entry={entry} />}
      none="No activity yet."
    />
  </Card>
);
