import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import type { Pages } from './api.ts';
import { ExportButton } from './export.tsx';
import { count } from './numbers.ts';
import type { Selection } from './selection.ts';
import { sortedBy, useSorting } from './sorting.ts';
import type { SortValue } from './sorting.ts';
import { Empty, Failure, Loading } from './states.tsx';

export interface Column<T> {
  readonly name: string;
  readonly show: (row: T) => ReactNode;
  /** Returns what rows are sorted by; a column without it sorts nothing. */
  readonly sortValue?: (row: T) => SortValue;
  /** Whether `rows` are in the order of this column when the page is sorted by it. Any other column sorts only rows that are all here. */
  readonly isSortedByApi?: boolean;
}

interface ListProps<T> {
  /** Description of the list, for people who do not see it. */
  readonly caption: string;
  /** All that the rows depend on. */
  readonly queryKey: readonly unknown[];
  readonly rows: () => Pages<T>;
  readonly idOf: (row: T) => string;
  readonly columns: readonly Column<T>[];
  /** Shown instead of the rows if there are none. */
  readonly empty: ReactNode;
  /** Returns how soon the rows may change on their own, in milliseconds; absent if they never do. */
  readonly changesIn?: (rows: readonly T[]) => number | false;
  /** Path of the API's own CSV export of these rows, where it has one. */
  readonly exportPath?: string | undefined;
  /** Lets rows be selected. */
  readonly selecting?: { readonly selection: Selection; readonly nameOf: (row: T) => string } | undefined;
}

interface FurtherBackProps {
  readonly what: string;
  /** Pages since the last row. */
  readonly looks: number;
  readonly query: Pick<UseInfiniteQueryResult, 'isFetching' | 'isFetchNextPageError' | 'error'>;
  readonly look: () => void;
}

/** Number of pages without a row that are read before the user is asked to continue. */
const LOOKS = 5;

/** Looks further where a page has checked many rows and found none. */
function FurtherBack({ what, looks, query: { isFetching, isFetchNextPageError, error }, look }: FurtherBackProps): ReactNode {
  const rests = looks % LOOKS === 0 || isFetchNextPageError;
  useEffect(() => {
    if (!rests && !isFetching) look();
  });
  if (!rests || isFetching) return <Loading what={`older ${what}`} />;
  return (
    <Empty title={`No matches in the latest ${what}`}>
      {isFetchNextPageError && <p className="fault">{error?.message}</p>}
      <button type="button" onClick={look}>
        Search older
      </button>
    </Empty>
  );
}

type MoreProps = Pick<UseInfiniteQueryResult, 'isFetchNextPageError' | 'isFetchingNextPage' | 'hasNextPage' | 'error' | 'fetchNextPage'>;

const More = ({ query }: { readonly query: MoreProps }): ReactNode => (
  <>
    {query.isFetchNextPageError && <p className="fault">{query.error?.message}</p>}
    {query.hasNextPage && (
      <button type="button" onClick={() => void query.fetchNextPage()} disabled={query.isFetchingNextPage}>
        {query.isFetchingNextPage ? 'Loading …' : 'Show more'}
      </button>
    )}
  </>
);

interface SelectAllProps {
  readonly selection: Selection;
  readonly ids: readonly string[];
}

const SelectAll = ({ selection, ids }: SelectAllProps): ReactNode => {
  const isAll = ids.every((id) => selection.ids.has(id));
  return (
    <th scope="col" role="columnheader" className="select">
      <input type="checkbox" aria-label="Select all" checked={isAll} onChange={() => selection.set(isAll ? [] : ids)} />
    </th>
  );
};

interface SelectRowProps {
  readonly selection: Selection;
  readonly id: string;
  readonly name: string;
}

const SelectRow = ({ selection, id, name }: SelectRowProps): ReactNode => (
  <td role="cell" className="select">
    <input type="checkbox" aria-label={`Select ${name}`} checked={selection.ids.has(id)} onChange={() => selection.toggle(id)} />
  </td>
);

const sorts = <T,>({ sortValue, isSortedByApi = false }: Column<T>, isWhole: boolean): boolean =>
  sortValue !== undefined && (isWhole || isSortedByApi);

const ARROWS = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown } as const;

interface HeadProps<T> {
  readonly column: Column<T>;
  readonly isWhole: boolean;
}

/** Shows the name of a column; of one that sorts, as a button. */
function Head<T>({ column, isWhole }: HeadProps<T>): ReactNode {
  const { name } = column;
  const { sorting, sortBy } = useSorting();
  if (!sorts(column, isWhole))
    return (
      <th scope="col" role="columnheader">
        {name}
      </th>
    );
  const upOrDown = sorting?.isDescending ? 'descending' : 'ascending';
  const direction = sorting?.column === name ? upOrDown : 'none';
  const Arrow = ARROWS[direction];
  return (
    <th scope="col" role="columnheader" className="sorts" aria-sort={direction}>
      <button type="button" className="quiet" onClick={() => sortBy(name)}>
        {name}
        <Arrow aria-hidden="true" size={14} />
      </button>
    </th>
  );
}

/** Returns the rows in the order that the page is sorted by; as they came where that is for the API to do. */
function useSorted<T>(rows: readonly T[], columns: readonly Column<T>[], isWhole: boolean): readonly T[] {
  const { sorting } = useSorting();
  const column = columns.find(({ name }) => name === sorting?.column);
  if (!sorting || !isWhole || !column?.sortValue) return rows;
  return sortedBy(rows, column.sortValue, sorting.isDescending);
}

interface RowsProps<T> extends Pick<ListProps<T>, 'caption' | 'columns' | 'idOf' | 'selecting'> {
  readonly shown: readonly T[];
  /** Whether these are all rows. */
  readonly isWhole: boolean;
}

function Rows<T>({ caption, columns, idOf, selecting, shown, isWhole }: RowsProps<T>): ReactNode {
  const sorted = useSorted(shown, columns, isWhole);
  return (
    <table role="table">
      <caption className="unseen">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {selecting && <SelectAll selection={selecting.selection} ids={shown.map(idOf)} />}
          {columns.map((column) => (
            <Head key={column.name} column={column} isWhole={isWhole} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {sorted.map((row) => (
          <tr key={idOf(row)} role="row">
            {selecting && <SelectRow selection={selecting.selection} id={idOf(row)} name={selecting.nameOf(row)} />}
            {columns.map(({ name, show }) => (
              <td key={name} role="cell" data-name={name}>
                <span className="value">{show(row)}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface SummaryProps {
  readonly shown: number;
  readonly hasMore: boolean;
  /** Whether more columns sort once all rows are here. */
  readonly sortsWhole: boolean;
}

/** Shows how many rows there are, or how many of them are shown so far. */
const Summary = ({ shown, hasMore, sortsWhole }: SummaryProps): ReactNode => (
  <span className="hint">
    {hasMore ? `First ${count(shown)}` : `${count(shown)} ${shown === 1 ? 'row' : 'rows'}`}
    {hasMore && sortsWhole && '. Load all rows to sort by the other columns.'}
  </span>
);

/** Shows a list of any length: page by page by cursor, as far as it is asked for. On a narrow screen each row is a card. */
export function List<T extends object>({
  caption,
  queryKey,
  rows,
  idOf,
  columns,
  empty,
  changesIn,
  exportPath,
  selecting,
}: ListProps<T>): ReactNode {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => rows().page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    // A list that was read on is left as it is: checking again reads each of its pages.
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? (changesIn?.(state.data.pages[0]?.rows ?? []) ?? false) : false),
  });
  if (query.isPending) return <Loading what={caption} />;
  if (query.isError && !query.data) return <Failure error={query.error} again={() => void query.refetch()} />;
  const shown = query.data.pages.flatMap((page) => page.rows);
  const looks = query.data.pages.length - 1 - query.data.pages.findLastIndex((page) => page.rows.length > 0);
  const further = query.hasNextPage && looks > 0 && (
    <FurtherBack what={caption} looks={looks} query={query} look={() => void query.fetchNextPage()} />
  );
  if (shown.length === 0) return further || empty;
  return (
    <div className={query.isPlaceholderData ? 'list stale' : 'list'} aria-busy={query.isFetching}>
      <div className="list-head">
        <Summary
          shown={shown.length}
          hasMore={query.hasNextPage}
          sortsWhole={columns.some((each) => sorts(each, true) && !sorts(each, false))}
        />
        <ExportButton what={caption} rows={rows} path={exportPath} />
      </div>
      <Rows {...{ caption, columns, idOf, selecting, shown }} isWhole={!query.hasNextPage} />
      {further || <More query={query} />}
    </div>
  );
}
