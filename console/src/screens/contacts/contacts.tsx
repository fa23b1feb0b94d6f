import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { isOffered } from '../../parts/archive.tsx';
import { useChanged } from '../../parts/changed.ts';
import { useContactFields } from '../../parts/conditions/contact-fields.ts';
import { useSegments } from '../../parts/conditions/names.tsx';
import { When } from '../../parts/dates.tsx';
import { ChoiceField, TextField, CheckField } from '../../parts/fields.tsx';
import { given, useFilters, useTyped } from '../../parts/filters.ts';
import { List } from '../../parts/list.tsx';
import { Page } from '../../parts/page.tsx';
import { useSelection } from '../../parts/selection.ts';
import { useOldestFirst } from '../../parts/sorting.ts';
import { Empty } from '../../parts/states.tsx';
import { useMay, useSession } from '../../session/session.ts';
import { Bulk } from './bulk.tsx';
import { Consent } from './consent.tsx';
import { ContactForm } from './contact-form.tsx';

type Contact = Schemas['Contact'];

const nameOf = ({ firstName, lastName }: Contact): string => [firstName, lastName].filter(Boolean).join(' ');

const FIXED = [
  {
    name: 'Contact',
    show: ({ contactId, email }: Contact): ReactNode => (
      <Link to={`/contacts/${contactId}`} className="row-link">
        {email}
      </Link>
    ),
    sortValue: ({ email }: Contact) => email,
  },
  { name: 'Name', show: nameOf, sortValue: nameOf },
  { name: 'Marketing', show: ({ subscribed }: Contact): ReactNode => <Consent subscribed={subscribed} /> },
];

/** The column whose order the API makes. */
const ADDED = {
  name: 'Added',
  show: ({ createdAt }: Contact): ReactNode => <When at={createdAt} />,
  sortValue: ({ createdAt }: Contact) => createdAt,
  isSortedByApi: true,
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value ?? undefined) ?? ''));

function chosenIn(name: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(name) ?? '[]');
    return Array.isArray(kept) ? kept.filter((field): field is string => typeof field === 'string') : [];
  } catch {
    return [];
  }
}

/** Returns the columns of the list of contacts, with the custom fields that this browser shows, and the choice of these. */
function useColumns() {
  const name = `contact-columns-${useSession().project.id}`;
  const fields = useContactFields();
  const [chosen, setChosen] = useState(() => chosenIn(name));
  const choose = (field: string, isShown: boolean): void => {
    const next = isShown ? [...chosen, field] : chosen.filter((each) => each !== field);
    localStorage.setItem(name, JSON.stringify(next));
    setChosen(next);
  };
  const custom = chosen.map((field) => ({
    name: field,
    show: ({ data }: Contact): ReactNode => textOf(data?.[field]),
    sortValue: ({ data }: Contact) => (typeof data?.[field] === 'number' ? data[field] : textOf(data?.[field])),
  }));
  return { columns: [...FIXED, ...custom, ADDED], fields, chosen, choose };
}

/** Chooses which custom fields are columns; nothing while contacts have none. */
function ColumnChoice({ fields, chosen, choose }: Omit<ReturnType<typeof useColumns>, 'columns'>): ReactNode {
  // A chosen field that no contact has any more can still be removed.
  const names = [...new Set([...fields.map(({ field }) => field), ...chosen])];
  if (names.length === 0) return null;
  return (
    <details className="column-choice">
      <summary>Columns</summary>
      <fieldset>
        <legend className="unseen">Custom fields shown as columns</legend>
        {names.map((field) => (
          <CheckField key={field} label={field} checked={chosen.includes(field)} change={(isShown) => choose(field, isShown)} />
        ))}
      </fieldset>
    </details>
  );
}

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
