import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { When } from '../../parts/dates.tsx';
import { Detail } from '../../parts/detail.tsx';
import { Card } from '../../parts/page.tsx';
import { Failure, Loading } from '../../parts/states.tsx';

/** Returns the page with an entry's details: the message, the execution, or the automation. */
function placeOf(emailId: string | null, workflowId: string | null, data: Schemas['TimelineEntry']['data']): string | null {
  if (emailId !== null) return `/mail/${emailId}`;
  const executionId = data?.['executionId'];
  if (typeof executionId === 'string') return `/executions/${executionId}`;
  return workflowId === null ? null : `/automations/${workflowId}`;
}

const Named = ({ to, children }: { readonly to: string | null; readonly children: string }): ReactNode =>
  to === null ? children : <Link to={to}>{children}</Link>;

/** All that has happened with a person, newest first. */
export function Timeline({ contactId }: { readonly contactId: string }): ReactNode {
  const query = useInfiniteQuery({
    queryKey: ['contacts', contactId, 'timeline'],
    queryFn: ({ pageParam }) => api.getContactTimeline(contactId).page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  if (query.isPending) return <Loading what="the timeline" />;
  if (query.isError && !query.data) return <Failure error={query.error} again={() => void query.refetch()} />;
  const entries = query.data.pages.flatMap(({ rows }) => rows);
  return (
    <Card title="Timeline">
      {entries.length === 0 && <p className="hint">No activity yet.</p>}
      <ol className="timeline">
        {entries.map(({ entryId, name, createdAt, emailId, workflowId, data }) => (
          <li key={entryId}>
            <strong>
              <Named to={placeOf(emailId, workflowId, data)}>{name}</Named>
            </strong>{' '}
            <When at={createdAt} />
            <Detail data={data} />
          </li>
        ))}
      </ol>
      {query.hasNextPage && (
        <button type="button" onClick={() => void query.fetchNextPage()} disabled={query.isFetchingNextPage}>
          Show more
        </button>
      )}
    </Card>
  );
}
