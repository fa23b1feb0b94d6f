import { useId } from 'react';
import type { ChangeEvent, ReactNode } from 'react';
import { readable } from './encoding.ts';
import type { Readable } from './encoding.ts';
import { columnsOf } from './read-csv.ts';
import type { FoundColumn } from './read-csv.ts';

/** A CSV file that was chosen, with its columns. */
export interface ChosenCsv extends Readable {
  readonly columns: readonly FoundColumn[];
}

interface CsvFieldProps {
  readonly hint: string;
  readonly choose: (chosen: ChosenCsv) => void;
  /** Whether no other file can be chosen now. */
  readonly disabled?: boolean;
}

/** Takes a CSV file in any usual encoding. */
export function CsvField({ hint, choose, disabled = false }: CsvFieldProps): ReactNode {
  const id = useId();
  const take = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const given = target.files?.[0];
    if (!given) return;
    const found = await readable(given);
    choose({ ...found, columns: await columnsOf(found.file) });
  };
  return (
    <div className="field">
      <label htmlFor={id}>CSV file</label>
      <input
        {...{ id, disabled, type: 'file', accept: '.csv,.tsv,.txt,text/csv', 'aria-describedby': `${id}-hint` }}
        onChange={(event) => void take(event)}
      />
      <p id={`${id}-hint`} className="hint">
        {hint}
      </p>
    </div>
  );
}

/** Says that a file was read as Windows-1252; nothing for any other. */
export const EncodingHint = ({ wasWindows }: Pick<Readable, 'wasWindows'>): ReactNode =>
  wasWindows && <p className="hint">The file is not UTF-8. It was read as Windows-1252: check the characters below.</p>;
