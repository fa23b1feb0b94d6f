import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Pages } from './api.ts';
import { Failure, Loading } from './states.tsx';

interface EntriesProps<T> {
  readonly what: string;
  readonly queryKey: readonly unknown[];
  readonly rows: () => Pages<T>;
  readonly idOf: (row: T) => string;
  readonly show: (row: T) => ReactNode;
  /** Shown instead of the entries if there are none. */
  readonly none: string;
}

/** Shows what has happened, newest first, page by page as far as it is asked for. */
export function Entries<T>({ what, queryKey, rows, idOf, show, none }: EntriesProps<T>): ReactNode {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => rows().page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  if (query.isPending) return <Loading what={what} />;
  if (query.isError && !query.data) return <Failure error={query.error} again={() => void query.refetch()} />;
  const entries = query.data.pages.flatMap((page) => page.rows);
  if (entries.length === 0) return <p className="hint">{none}</p>;
  return (
    <>
      <ol className="timeline">
        {entries.map((entry) => (
          <li key={idOf(entry)}>{show(entry)}</li>
        ))}
      </ol>
      {query.hasNextPage && (
        <button type="button" onClick={() => void query.fetchNextPage()} disabled={query.isFetchingNextPage}>
          Show more
        </button>
      )}
    </>
  );
}
