import type { ReactNode } from 'react';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import type { FoundColumn } from '../../parts/read-csv.ts';

const MEMBERS = [
  ['-', 'Skip'],
  ['email', 'Email'],
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['locale', 'Locale'],
  ['timezone', 'Time zone'],
  ['subscribed', 'Subscribed'],
  ['data', 'Custom field'],
] as const;

interface RowProps {
  readonly column: FoundColumn;
  /** The field to import it as, by the import's name for it. */
  readonly target: string;
  readonly change: (target: string) => void;
}

function ColumnRow({ column: { header, examples }, target, change }: RowProps): ReactNode {
  const isField = target.startsWith('data.');
  const called = header === '' ? 'the column without a header' : header;
  return (
    <li>
      <div>
        <strong>{header === '' ? '(no header)' : header}</strong>
        <p className="hint">{examples.join(' · ')}</p>
      </div>
      <ChoiceField
        label={`Import ${called} as`}
        value={isField ? 'data' : target}
        change={(chosen) => change(chosen === 'data' ? `data.${header.replaceAll(/[^A-Za-z0-9_-]+/g, '_')}` : chosen)}
        options={MEMBERS}
      />
      {isField && (
        <TextField label={`Field for ${called}`} required value={target.slice('data.'.length)} change={(name) => change(`data.${name}`)} />
      )}
    </li>
  );
}

interface TableProps {
  readonly columns: readonly FoundColumn[];
  readonly targets: readonly string[];
  readonly change: (targets: readonly string[]) => void;
}

/** Shows every column of a file, with what it becomes. */
export const ColumnTable = ({ columns, targets, change }: TableProps): ReactNode => (
  <ul className="column-map" aria-label="Columns of the file">
    {columns.map((column, at) => (
      // A file may have two columns of one header: they differ by their position, which does not change.
      <ColumnRow
        key={`${at} ${column.header}`}
        column={column}
        target={targets[at] ?? '-'}
        change={(target) => change(targets.map((before, place) => (place === at ? target : before)))}
      />
    ))}
  </ul>
);
