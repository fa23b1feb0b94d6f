import { useState } from 'react';
import { useFilters } from './filters.ts';

/** Value that rows are compared by; a row without one comes last in either direction. */
export type SortValue = string | number | null | undefined;

interface Sorting {
  readonly column: string;
  readonly isDescending: boolean;
}

/** Returns how the lists of the page are sorted, null for the order of the API, and what sorts by a column: upwards, downwards, then not. */
export function useSorting(): { readonly sorting: Sorting | null; readonly sortBy: (column: string) => void } {
  const { filters, setFilter } = useFilters(['sort']);
  const isDescending = filters.sort.startsWith('-');
  const column = isDescending ? filters.sort.slice(1) : filters.sort;
  return {
    sorting: column === '' ? null : { column, isDescending },
    sortBy: (name) => {
      if (name !== column) setFilter('sort', name);
      else setFilter('sort', isDescending ? '' : `-${name}`);
    },
  };
}

/**
 * Returns whether the API is to list from the oldest row on, for the column with the instants of rows. A sort by another column keeps what is loaded: only a list
 * that is all here offers it.
 */
export function useOldestFirst(column: string): boolean {
  const { sorting } = useSorting();
  const [isOldest, setOldest] = useState(false);
  const isOther = sorting !== null && sorting.column !== column;
  const isWanted = isOther ? isOldest : sorting?.isDescending === false;
  if (isWanted !== isOldest) setOldest(isWanted);
  return isWanted;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

const isMissing = (value: SortValue): value is null | undefined | '' => value === null || value === undefined || value === '';

/** Returns rows in the order of a value. Equal ones keep theirs. */
export function sortedBy<T>(rows: readonly T[], valueOf: (row: T) => SortValue, isDescending: boolean): readonly T[] {
  const compare = (a: SortValue, b: SortValue): number => {
    if (isMissing(a) || isMissing(b)) return Number(isMissing(a)) - Number(isMissing(b));
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
    return isDescending ? -order : order;
  };
  return rows.toSorted((a, b) => compare(valueOf(a), valueOf(b)));
}
