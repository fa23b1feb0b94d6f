import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import { isOffered } from '../../parts/archive.tsx';
import { useChanged } from '../../parts/changed.ts';
import { useSegments } from '../../parts/conditions/names.tsx';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { given, useFilters, useTyped } from '../../parts/filters.ts';
import { List } from '../../parts/list.tsx';
import { Page } from '../../parts/page.tsx';
import { useSelection } from '../../parts/selection.ts';
import { useOldestFirst } from '../../parts/sorting.ts';
import { Empty } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';
import { Bulk } from './bulk.tsx';
import { ADDED, ColumnChoice, useColumns } from './columns.tsx';
import { ContactForm } from './contact-form.tsx';

/** Shows the people mail goes to, newest first. */
export function Contacts(): ReactNode {
  const { filters, setFilter, isFiltered } = useFilters(['search', 'subscribed', 'segmentId']);
  const [search, setSearch] = useTyped(filters.search, (text) => setFilter('search', text));
  const segments = useSegments();
  const shown = (segments.data ?? []).filter((segment) => isOffered(segment, segment.segmentId === filters.segmentId));
  const changed = useChanged('contacts');
  const mayChange = useMay('change');
  const subscribed = filters.subscribed === '' ? undefined : filters.subscribed === 'true';
  const order = useOldestFirst(ADDED.name) ? ('oldest' as const) : undefined;
  const query = given({ search: filters.search, segmentId: filters.segmentId, subscribed, order });
  const selection = useSelection(JSON.stringify(query));
  const { columns, ...choice } = useColumns();
  return (
    <Page
      title="Contacts"
      actions={
        <>
          <Link className="button" to="/contacts/import">
            {mayChange ? 'Import contacts' : 'Imports'}
          </Link>
          {mayChange && <ContactForm contact={null} done={changed} />}
        </>
      }
    >
      <search className="filters">
        <TextField label="Name or email" type="search" value={search} change={setSearch} />
        <ChoiceField
          label="Marketing"
          value={filters.subscribed}
          change={(value) => setFilter('subscribed', value)}
          options={[
            ['', 'Any'],
            ['true', 'Subscribed'],
            ['false', 'Unsubscribed'],
          ]}
        />
        <ChoiceField
          label="Segment"
          value={filters.segmentId}
          change={(value) => setFilter('segmentId', value)}
          options={[['', 'Any'], ...shown.map(({ segmentId, name }) => [segmentId, name] as const)]}
        />
        <ColumnChoice {...choice} />
      </search>
      <Bulk selection={selection} segments={segments.data ?? []} />
      <List
        caption="contacts"
        queryKey={['contacts', query]}
        rows={() => api.listContacts(query)}
        exportPath={`/v1/contacts/export?${new URLSearchParams(given(filters))}`}
        idOf={({ email }) => email}
        columns={columns}
        selecting={mayChange ? { selection, nameOf: ({ email }) => email } : undefined}
        empty={
          isFiltered ? (
            <Empty title="No matching contacts">
              <p>Remove a filter to see more.</p>
            </Empty>
          ) : (
            <Empty title="No contacts yet" next={mayChange && { label: 'Import your contacts', to: '/contacts/import' }}>
              <p>Contacts are the people you send to. Add one, import a CSV file, or send a message: its recipient becomes a contact.</p>
            </Empty>
          )
        }
      />
    </Page>
  );
}
