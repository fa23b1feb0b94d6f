import type { ReactNode } from 'react';
import { ArchivedFilter } from './archive.tsx';
import { ChoiceField, TextField } from './fields.tsx';
import { useTyped } from './filters.ts';

interface NamedFiltersProps<N extends string> {
  /** The filters as the address has them. */
  readonly filters: Readonly<Record<N | 'search' | 'archived', string>>;
  readonly setFilter: (name: N | 'search' | 'archived', value: string) => void;
  /** The filter that is chosen of a few values, and its label. */
  readonly by: N;
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** Filters a list by part of a name, by one choice, and by whether its rows are archived. */
export function NamedFilters<N extends string>({ filters, setFilter, by, label, options }: NamedFiltersProps<N>): ReactNode {
  const [text, setText] = useTyped(filters.search, (typed) => setFilter('search', typed));
  return (
    <search className="filters">
      <TextField label="Name" type="search" value={text} change={setText} />
      <ChoiceField label={label} value={filters[by]} change={(chosen) => setFilter(by, chosen)} options={[['', 'Any'], ...options]} />
      <ArchivedFilter value={filters.archived} change={(archived) => setFilter('archived', archived)} />
    </search>
  );
}
