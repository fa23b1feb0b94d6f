import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Pages } from './api.ts';
import { ArchiveBulk } from './archive.tsx';
import type { Kind } from './archive.tsx';
import { ChoiceField, TextField } from './fields.tsx';
import { given, useFilters, useTyped } from './filters.ts';
import { List } from './list.tsx';
import type { Column } from './list.tsx';
import { Page } from './page.tsx';
import { useSelection } from './selection.ts';
import { Empty } from './states.tsx';

/** The filter of a list that is chosen of a few values, and its label. */
interface Choice {
  readonly by: 'status' | 'type';
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}

interface FiltersProps extends Pick<ReturnType<typeof useFilters<'search' | 'status' | 'type' | 'archived'>>, 'filters' | 'setFilter'> {
  readonly choice: Choice;
}

/** Filters a list by part of a name, by one choice, and by whether its rows are archived. */
function Filters({ filters, setFilter, choice: { by, label, options } }: FiltersProps): ReactNode {
  const [text, setText] = useTyped(filters.search, (typed) => setFilter('search', typed));
  return (
    <search className="filters">
      <TextField label="Name" type="search" value={text} change={setText} />
      <ChoiceField label={label} value={filters[by]} change={(chosen) => setFilter(by, chosen)} options={[['', 'Any'], ...options]} />
      <ChoiceField
        label="Archived"
        value={filters.archived}
        change={(archived) => setFilter('archived', archived)}
        options={[
          ['', 'Hidden'],
          ['true', 'Only archived'],
        ]}
      />
    </search>
  );
}

interface ListProps<T, Q> {
  readonly kind: Kind;
  readonly title: string;
  readonly mayChange: boolean;
  readonly choice: Choice;
  readonly rows: (query: Q) => Pages<T>;
  readonly idOf: (row: T) => string;
  readonly columns: readonly Column<T>[];
  /** Path of the page that makes a new one; or the button that does. */
  readonly create: string | ReactNode;
  /** Shown while there are no rows. */
  readonly about: string;
}

/** Shows the page of a list whose rows can be found by name, selected and archived. */
export function ArchivableList<T extends { readonly name: string }, Q extends object>({
  kind,
  title,
  mayChange,
  choice,
  rows,
  idOf,
  columns,
  create,
  about,
}: ListProps<T, Q>): ReactNode {
  const { filters, setFilter } = useFilters(['search', 'status', 'type', 'archived']);
  const { search, archived, [choice.by]: chosen } = filters;
  const isFiltered = [search, archived, chosen].some((filter) => filter !== '');
  const isArchived = archived === 'true';
  const query = { ...given({ search, [choice.by]: chosen }), archived: isArchived };
  const selection = useSelection(JSON.stringify(query));
  const start = typeof create === 'string' ? create : null;
  const button = start === null ? create : <Link className="button primary" to={start}>{`New ${kind}`}</Link>;
  return (
    <Page title={title} actions={mayChange && button}>
      <Filters filters={filters} setFilter={setFilter} choice={choice} />
      <ArchiveBulk kind={kind} selection={selection} isArchived={isArchived} />
      <List
        caption={`${kind}s`}
        queryKey={[`${kind}s`, 'list', query]}
        rows={() => rows(query as Q)}
        idOf={idOf}
        columns={columns}
        selecting={mayChange ? { selection, nameOf: ({ name }) => name } : undefined}
        empty={
          <Empty
            title={isFiltered ? `No matching ${kind}s` : `No ${kind}s yet`}
            next={mayChange && !isFiltered && start !== null && { label: `Create your first ${kind}`, to: start }}
          >
            <p>{about}</p>
          </Empty>
        }
      />
    </Page>
  );
}
