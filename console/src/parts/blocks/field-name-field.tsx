import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { TextField } from '../fields.tsx';
import { useOfferedFields } from './fields.ts';
import { isPath } from './model.ts';

interface NameProps {
  readonly label: string;
  readonly value: string;
  readonly names: readonly string[];
  readonly change: (field: string) => void;
}

/** Shows the name of a field, of those that are known or another. */
export function FieldNameField({ label, value, names, change }: NameProps): ReactNode {
  const list = useId();
  const fields = useOfferedFields(names);
  const [written, setWritten] = useState(value);
  const write = (text: string): void => {
    setWritten(text);
    if (isPath(text.trim())) change(text.trim());
  };
  return (
    <>
      <TextField label={label} value={written} change={write} list={list} autoComplete="off" aria-invalid={!isPath(written.trim())} />
      <datalist id={list}>
        {fields.map(({ path, label: name, type }) => (
          <option key={path} value={path}>{`${name} (${type})`}</option>
        ))}
      </datalist>
    </>
  );
}
