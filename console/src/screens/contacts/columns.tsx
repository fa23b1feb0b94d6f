import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Schemas } from '../../parts/api.ts';
import { useContactFields } from '../../parts/conditions/contact-fields.ts';
import { When } from '../../parts/dates.tsx';
import { CheckField } from '../../parts/fields.tsx';
import { useSession } from '../../session/session.ts';
import { Consent } from './consent.tsx';

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
export const ADDED = {
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
export function useColumns() {
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
export function ColumnChoice({ fields, chosen, choose }: Omit<ReturnType<typeof useColumns>, 'columns'>): ReactNode {
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
