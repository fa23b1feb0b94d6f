import { useId } from 'react';
import type { ReactNode } from 'react';
import { TextField } from './fields.tsx';

interface SuggestedProps {
  readonly label: string;
  readonly hint?: string;
  readonly fault?: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly names: readonly string[];
  readonly required?: boolean;
  readonly type?: 'text' | 'email';
}

/** Shows a text field with suggestions. */
export function Suggested({ names, ...field }: SuggestedProps): ReactNode {
  const list = useId();
  return (
    <>
      <TextField {...field} list={list} />
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}
