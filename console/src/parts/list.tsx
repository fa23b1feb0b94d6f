import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Pages } from './api.ts';
import { Failure, Loading } from './states.tsx';

interface Column<T> {
  readonly name: string;
  readonly show: (row: T) => ReactNode;
}

interface ListProps<T> {
  /** What it is a list of, for people who do not see it. */
  readonly caption: string;
  /** All that the rows depend on. */
  readonly queryKey: readonly unknown[];
  readonly rows: () => Pages<T>;
  readonly idOf: (row: T) => string;
  readonly columns: readonly Column<T>[];
  /** In the place of no rows. */
  readonly empty: ReactNode;
  /** How soon the rows may have changed by themselves; left out, they do not. */
  readonly changesIn?: (rows: readonly T[]) => number | false;
}

/** A list of any length: page by page by cursor, as far as it is asked for. On a narrow screen each row is a card. */
export function List<T>({ caption, queryKey, rows, idOf, columns, empty, changesIn }: ListProps<T>): ReactNode {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => rows().page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    // A list that was read on is left as it is: looking again reads each of its pages.
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? (changesIn?.(state.data.pages[0]?.rows ?? []) ?? false) : false),
  });
  if (query.isPending) return <Loading what={caption} />;
  if (query.isError && !query.data) return <Failure error={query.error} again={() => void query.refetch()} />;
  const shown = query.data.pages.flatMap((page) => page.rows);
  if (shown.length === 0) return empty;
  return (
    <div className={query.isPlaceholderData ? 'list stale' : 'list'} aria-busy={query.isFetching}>
      <table role="table">
        <caption className="unseen">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ name }) => (
              <th key={name} scope="col" role="columnheader">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {shown.map((row) => (
            <tr key={idOf(row)} role="row">
              {columns.map(({ name, show }) => (
                <td key={name} role="cell" data-name={name}>
                  <span className="value">{show(row)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {query.isFetchNextPageError && <p className="fault">{query.error.message}</p>}
      {query.hasNextPage && (
        <button type="button" onClick={() => void query.fetchNextPage()} disabled={query.isFetchingNextPage}>
          {query.isFetchingNextPage ? 'Loading …' : 'Show more'}
        </button>
      )}
    </div>
  );
}
