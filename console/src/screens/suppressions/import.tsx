import { useIsMutating } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { CsvField, EncodingHint } from '../../parts/csv-field.tsx';
import type { ChosenCsv } from '../../parts/csv-field.tsx';
import { ChoiceField } from '../../parts/fields.tsx';
import { Faults } from '../../parts/form.tsx';
import { Card, Page } from '../../parts/page.tsx';
import type { FoundColumn } from '../../parts/read-csv.ts';
import { ImportResult } from './import-result.tsx';
import { REASONS } from './reasons.ts';
import type { Reason } from './reasons.ts';
import { guessed } from './rows.ts';
import type { Mapping } from './rows.ts';
import { IMPORTING, useImport } from './use-import.ts';

/** Returns the columns as choices by their positions, with a value of each. */
const choicesOf = (columns: readonly FoundColumn[]): readonly (readonly [string, string])[] =>
  columns.map(({ header, examples: [example] }, at) => {
    const name = header === '' ? `Column ${at + 1}` : header;
    return [String(at), example === undefined ? name : `${name} (${example.slice(0, 40)})`];
  });

interface FieldsProps {
  readonly columns: readonly FoundColumn[];
  readonly mapping: Mapping;
  readonly change: (mapping: Mapping) => void;
}

/** Chooses the columns of a file. */
function Fields({ columns, mapping, change }: FieldsProps): ReactNode {
  const choices = choicesOf(columns);
  const column = (label: string, name: 'email' | 'reason' | 'note', none: string): ReactNode => (
    <ChoiceField
      label={label}
      value={String(mapping[name])}
      change={(at) => change({ ...mapping, [name]: Number(at) })}
      options={[['-1', none], ...choices]}
    />
  );
  return (
    <>
      {column('Email column', 'email', 'Choose a column')}
      {column('Reason column', 'reason', 'None')}
      <ChoiceField
        label={mapping.reason < 0 ? 'Reason' : 'Reason of rows without one'}
        value={mapping.otherwise}
        change={(otherwise) => change({ ...mapping, otherwise: otherwise as Reason })}
        options={REASONS}
      />
      {column('Note column', 'note', 'None')}
    </>
  );
}

/** Imports a file, once it is said what its columns are. */
function Import({ chosen: { file, columns, wasWindows } }: { readonly chosen: ChosenCsv }): ReactNode {
  const [mapping, setMapping] = useState(() => guessed(columns));
  const { progress, importing } = useImport(file, mapping);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    importing.mutate();
  };
  if (progress) return <ImportResult progress={progress} importing={importing} />;
  return (
    <form className="card" onSubmit={submit}>
      <h2>Map columns</h2>
      <EncodingHint wasWindows={wasWindows} />
      <Fields columns={columns} mapping={mapping} change={setMapping} />
      <Faults error={importing.error} />
      <button type="submit" className="primary" disabled={mapping.email < 0 || importing.isPending}>
        Import suppressions
      </button>
      {mapping.email < 0 && <p className="hint">Choose the column that contains the email addresses.</p>}
    </form>
  );
}

/** Suppresses the addresses of a CSV file. */
export function ImportSuppressions(): ReactNode {
  const [chosen, setChosen] = useState<ChosenCsv | null>(null);
  const isImporting = useIsMutating({ mutationKey: IMPORTING }) > 0;
  return (
    <Page title="Import suppressions" under={{ label: 'Suppressions', to: '/suppressions' }}>
      <Card title="File">
        <CsvField
          hint="With a header row. Addresses that are suppressed already stay as they are, so you can import a file again."
          choose={setChosen}
          disabled={isImporting}
        />
      </Card>
      {chosen && <Import key={`${chosen.file.name} ${chosen.file.lastModified}`} chosen={chosen} />}
    </Page>
  );
}
