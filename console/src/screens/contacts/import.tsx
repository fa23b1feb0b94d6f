import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { api } from '../../parts/api.ts';
import { CsvField, EncodingHint } from '../../parts/csv-field.tsx';
import type { ChosenCsv } from '../../parts/csv-field.tsx';
import { CheckField, ChoiceField } from '../../parts/fields.tsx';
import { Faults } from '../../parts/form.tsx';
import { count } from '../../parts/numbers.ts';
import { Card, Page } from '../../parts/page.tsx';
import { ColumnTable } from './column-table.tsx';
import { guessed } from './csv.ts';
import { Imports } from './imports.tsx';
import { useMay } from '../../session/session.ts';
import './import.css';

const SEGMENTS = 200;
/** A large file over a slow line takes its time. */
const UPLOAD_MS = 3_600_000;

const staticSegments = async () => (await api.listSegments().toArray(SEGMENTS)).filter(({ type }) => type === 'static');

function Mapping({ chosen: { file, columns, wasWindows } }: { readonly chosen: ChosenCsv }): ReactNode {
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
      <EncodingHint wasWindows={wasWindows} />
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
  const [chosen, setChosen] = useState<ChosenCsv | null>(null);
  return (
    <>
      <Card title="File">
        <CsvField
          hint="With a header row. If an address appears twice, the last row wins. Empty cells change nothing. Unsubscribed contacts stay unsubscribed."
          choose={setChosen}
        />
        <p className="hint">
          Moving from Mailchimp, listmonk, Resend, SendGrid or Buttondown? <Link to="/moving">Import from another service</Link>
        </p>
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
