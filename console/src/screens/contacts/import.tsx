import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChangeEvent, ReactNode, SubmitEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { api } from '../../parts/api.ts';
import { CheckField, ChoiceField } from '../../parts/fields.tsx';
import { Faults } from '../../parts/form.tsx';
import { count } from '../../parts/numbers.ts';
import { Card, Page } from '../../parts/page.tsx';
import { ColumnTable } from './column-table.tsx';
import { LOOKED_AT_BYTES, columnsIn, guessed } from './csv.ts';
import type { FoundColumn } from './csv.ts';
import { readable } from './encoding.ts';
import type { Readable } from './encoding.ts';
import { Imports } from './imports.tsx';
import { useMay } from '../../session/session.ts';
import './import.css';

interface Chosen extends Readable {
  readonly columns: readonly FoundColumn[];
}

const SEGMENTS = 200;
/** A large file over a slow line takes its time. */
const UPLOAD_MS = 3_600_000;

const staticSegments = async () => (await api.listSegments().toArray(SEGMENTS)).filter(({ type }) => type === 'static');

function Mapping({ chosen: { file, columns, wasWindows } }: { readonly chosen: Chosen }): ReactNode {
  const [targets, setTargets] = useState(() => guessed(columns));
  const [segmentId, setSegmentId] = useState('');
  const [trigger, setTrigger] = useState(false);
  const segments = useQuery({ queryKey: ['segments', 'static'], queryFn: staticSegments });
  const navigate = useNavigate();
  const sending = useMutation({
    mutationFn: () =>
      api.importContacts(file, { columns: targets.join(','), trigger, ...(segmentId !== '' && { segmentId }) }, { timeoutMs: UPLOAD_MS }),
    onSuccess: ({ importId }) => navigate(`/contacts/import/${importId}`, { replace: true }),
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    sending.mutate();
  };
  return (
    <form className="card" onSubmit={submit}>
      <h2>Map columns</h2>
      {wasWindows && <p className="hint">The file is not UTF-8. It was read as Windows-1252: check the characters below.</p>}
      <ColumnTable columns={columns} targets={targets} change={setTargets} />
      <ChoiceField
        label="Add contacts to segment"
        value={segmentId}
        change={setSegmentId}
        options={[['', 'None'], ...(segments.data ?? []).map(({ segmentId: id, name }) => [id, name] as const)]}
      />
      <CheckField label="Start automations for these contacts" checked={trigger} change={setTrigger} />
      <Faults error={sending.error} />
      <button type="submit" className="primary" disabled={sending.isPending || !targets.includes('email')}>
        {sending.isPending ? `Uploading ${count(file.size)} bytes …` : 'Import contacts'}
      </button>
      {!targets.includes('email') && <p className="hint">Choose the column that contains the email addresses.</p>}
    </form>
  );
}

/** Takes a CSV file of contacts, once it is said what its columns are. */
function FileChoice(): ReactNode {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const given = target.files?.[0];
    if (!given) return;
    const { file, wasWindows } = await readable(given);
    setChosen({ file, wasWindows, columns: columnsIn(await file.slice(0, LOOKED_AT_BYTES).text()) });
  };
  return (
    <>
      <Card title="File">
        <div className="field">
          <label htmlFor="file">CSV file</label>
          <input
            id="file"
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            aria-describedby="file-hint"
            onChange={(event) => void choose(event)}
          />
          <p id="file-hint" className="hint">
            With a header row. If an address appears twice, the last row wins. Empty cells change nothing. Unsubscribed contacts stay
            unsubscribed.
          </p>
          <p className="hint">
            Moving from Mailchimp, listmonk, Resend, SendGrid or Buttondown? <Link to="/moving">Import from another service</Link>
          </p>
        </div>
      </Card>
      {chosen && <Mapping key={`${chosen.file.name} ${chosen.file.lastModified}`} chosen={chosen} />}
    </>
  );
}

/** Imports contacts from a file, and shows what was imported before. */
export function ImportPage(): ReactNode {
  const mayChange = useMay('change');
  return (
    <Page title="Import contacts" under={{ label: 'Contacts', to: '/contacts' }}>
      {mayChange && <FileChoice />}
      <Imports />
    </Page>
  );
}
