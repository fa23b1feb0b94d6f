import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { When } from '../../parts/dates.tsx';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { given, useFilters, useTyped } from '../../parts/filters.ts';
import { FormDialog } from '../../parts/form.tsx';
import { List } from '../../parts/list.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { SUPPRESSION_SOURCES } from '../../parts/suppression-sources.ts';
import type { Toast } from '../../parts/toasts/store.ts';
import { useMay } from '../../session/session.ts';
import { REASONS } from './reasons.ts';

type Suppression = Schemas['Suppression'];
type Query = NonNullable<Parameters<typeof api.listSuppressions>[0]>;

const withNote = (email: string, note: string) => ({ email, ...(note !== '' && { note }) });

function RemoveButton({ row: { suppressionId, email, reason, note } }: { readonly row: Suppression }): ReactNode {
  const queries = useQueryClient();
  return (
    <Confirm
      label="Remove"
      title="Remove this suppression?"
      danger
      act={() => api.deleteSuppression(suppressionId)}
      done={() => void queries.invalidateQueries({ queryKey: ['suppressions'] })}
      // Only a person's own entry can be made again as it was.
      said={{ text: `${email} removed.`, undo: reason === 'manual' ? () => api.createSuppression(withNote(email, note ?? '')) : undefined }}
    >
      Mail is sent to {email} again. After a complaint or an unsubscribe, do this only if the person asked for it.
    </Confirm>
  );
}

interface NoteFieldProps {
  readonly note: string;
  readonly change: (note: string) => void;
}

/** Takes a note on a suppression. */
const NoteField = ({ note, change }: NoteFieldProps): ReactNode => (
  <TextField label="Note" maxLength={500} value={note} change={change} hint="For your team, such as who asked for it and when." />
);

function EditNote({ row: { suppressionId, note = '' } }: { readonly row: Suppression }): ReactNode {
  const queries = useQueryClient();
  const [written, setWritten] = useState(note);
  return (
    <FormDialog
      label={note === '' ? 'Add note' : 'Edit note'}
      title="Note on the suppression"
      begin={() => setWritten(note)}
      send={() => api.updateSuppression(suppressionId, { note: written.trim() || null })}
      done={() => void queries.invalidateQueries({ queryKey: ['suppressions'] })}
    >
      <NoteField note={written} change={setWritten} />
    </FormDialog>
  );
}

const COLUMNS = [
  { name: 'Email', show: ({ email }: Suppression) => <strong>{email}</strong>, sortValue: ({ email }: Suppression) => email },
  {
    name: 'Reason',
    show: ({ reason }: Suppression) => <Badge of={reason} tone={reason === 'manual' ? 'plain' : 'bad'} />,
    sortValue: ({ reason }: Suppression) => reason,
  },
  { name: 'Source', show: ({ source }: Suppression) => SUPPRESSION_SOURCES[source], sortValue: ({ source }: Suppression) => source },
  { name: 'Note', show: ({ note }: Suppression) => note ?? '' },
  { name: 'Added', show: ({ createdAt }: Suppression) => <When at={createdAt} />, sortValue: ({ createdAt }: Suppression) => createdAt },
];
const ACTIONS = {
  name: 'Action',
  show: (row: Suppression) => (
    <div className="actions">
      <EditNote row={row} />
      <RemoveButton row={row} />
    </div>
  ),
};

/** Suppresses an address. What was suppressed before stays so, and is not undone. */
async function suppress(address: string, note: string): Promise<Toast> {
  const { suppression: before } = await api.checkSuppression({ email: address });
  const { email, suppressionId, reason } = await api.createSuppression(withNote(address, note));
  const isNew = before === null && reason === 'manual';
  return { text: `${email} suppressed.`, undo: isNew ? () => api.deleteSuppression(suppressionId) : undefined };
}

function Suppress(): ReactNode {
  const [email, setEmail] = useState('');
  const [note, setNote] = useState('');
  const queries = useQueryClient();
  return (
    <FormDialog
      label="Suppress address"
      title="Suppress an address"
      primary
      save="Suppress address"
      begin={() => {
        setEmail('');
        setNote('');
      }}
      send={() => suppress(email.trim(), note.trim())}
      done={() => void queries.invalidateQueries({ queryKey: ['suppressions'] })}
      said={(toast) => toast}
    >
      <TextField label="Email" type="email" required value={email} change={setEmail} hint="Lettermill sends nothing to this address." />
      <NoteField note={note} change={setNote} />
    </FormDialog>
  );
}

/** Shows addresses that get no mail, and why. */
export function Suppressions(): ReactNode {
  const { filters, setFilter, isFiltered } = useFilters(['search', 'reason']);
  const [search, setSearch] = useTyped(filters.search, (text) => setFilter('search', text));
  const mayChange = useMay('change');
  const query = given(filters) as Query;
  return (
    <Page
      title="Suppressions"
      actions={
        mayChange && (
          <>
            <Link className="button" to="/suppressions/import">
              Import suppressions
            </Link>
            <Suppress />
          </>
        )
      }
    >
      <search className="filters">
        <TextField label="Email" type="search" value={search} change={setSearch} />
        <ChoiceField
          label="Reason"
          value={filters.reason}
          change={(reason) => setFilter('reason', reason)}
          options={[['', 'Any'], ...REASONS]}
        />
      </search>
      <List
        caption="suppressions"
        queryKey={['suppressions', query]}
        rows={() => api.listSuppressions(query)}
        idOf={({ suppressionId }) => suppressionId}
        columns={mayChange ? [...COLUMNS, ACTIONS] : COLUMNS}
        empty={
          <Empty title={isFiltered ? 'No matching suppressions' : 'No suppressed addresses'}>
            <p>Lettermill sends nothing to a suppressed address. Hard bounces, complaints and unsubscribes are added automatically.</p>
          </Empty>
        }
      />
    </Page>
  );
}
