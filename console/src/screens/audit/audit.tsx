import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useAuthorName, usePersons } from '../../parts/authors.ts';
import { When, beginningOf, endOf } from '../../parts/dates.tsx';
import { DayFields } from '../../parts/days.tsx';
import { ChoiceField } from '../../parts/fields.tsx';
import { given, useFilters } from '../../parts/filters.ts';
import { List } from '../../parts/list.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { placeOf } from './place.ts';

type Entry = Schemas['AuditEntry'];

const SEEN = 100;

/** Returns the actions of the newest entries, and the one that is chosen. */
function useActions(chosen: string): readonly (readonly [action: string, name: string])[] {
  const { data = [] } = useQuery({ queryKey: ['audit', 'actions'], queryFn: () => api.listAudit({ limit: SEEN }).toArray(SEEN) });
  const known = new Set([...data.map(({ action }) => action), ...(chosen === '' ? [] : [chosen])]);
  return [...known].sort().map((action) => [action, action]);
}

/** Returns the persons and the keys of the project as authors, and the one that is chosen. */
function useAuthors(chosen: string): readonly (readonly [by: string, name: string])[] {
  const persons = usePersons();
  const keys = useQuery({ queryKey: ['keys', 'names'], queryFn: () => api.listKeys().toArray() });
  const known = [...persons, ...(keys.data ?? []).map(({ prefix }) => [`key ${prefix}`, `Key ${prefix}…`] as const)];
  return chosen === '' || known.some(([by]) => by === chosen) ? known : [...known, [chosen, chosen]];
}

const What = ({ entry: { action, subject } }: { readonly entry: Entry }): ReactNode => {
  const place = placeOf(action, subject);
  const text = subject ?? 'project';
  return place === null ? text : <Link to={place}>{text}</Link>;
};

/** Shows who changed what and when, newest first. */
export function Audit(): ReactNode {
  const { filters, setFilter, isFiltered } = useFilters(['by', 'action', 'from', 'until']);
  const nameOf = useAuthorName();
  const authors = useAuthors(filters.by);
  const actions = useActions(filters.action);
  const query = given({ by: filters.by, action: filters.action, from: beginningOf(filters.from), until: endOf(filters.until), limit: 50 });
  const columns = [
    { name: 'Action', show: (entry: Entry) => <strong>{entry.action}</strong> },
    { name: 'Object', show: (entry: Entry) => <What entry={entry} /> },
    {
      name: 'By',
      show: ({ by }: Entry) => (
        <Link to={`/audit?${new URLSearchParams(given({ ...filters, by }))}`} title="Show all changes by this author">
          {nameOf(by)}
        </Link>
      ),
    },
    { name: 'Reason', show: ({ reason }: Entry) => <span className="reason">{reason ?? ''}</span> },
    { name: 'When', show: ({ at }: Entry) => <When at={at} /> },
  ];
  return (
    <Page title="Audit">
      <search className="filters">
        <ChoiceField label="By" value={filters.by} change={(by) => setFilter('by', by)} options={[['', 'Anyone'], ...authors]} />
        <ChoiceField
          label="Action"
          value={filters.action}
          change={(action) => setFilter('action', action)}
          options={[['', 'Any'], ...actions]}
        />
        <DayFields filters={filters} setFilter={setFilter} />
      </search>
      <List
        caption="changes"
        queryKey={['audit', query]}
        rows={() => api.listAudit(query)}
        idOf={({ entryId }) => entryId}
        columns={columns}
        empty={
          <Empty title={isFiltered ? 'No matching changes' : 'No changes yet'}>
            <p>Every change of the configuration, every launch and every sign-in is kept here for 400 days.</p>
          </Empty>
        }
      />
    </Page>
  );
}
