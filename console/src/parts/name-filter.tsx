import type { ReactNode } from 'react';
import { TextField } from './fields.tsx';
import { useTyped } from './filters.ts';

interface NameFilterProps {
  /** The filter as the address has it. */
  readonly filter: string;
  readonly apply: (text: string) => void;
}

/** Finds the rows of a list by part of their name. */
export function NameFilter({ filter, apply }: NameFilterProps): ReactNode {
  const [text, setText] = useTyped(filter, apply);
  return <TextField label="Name" type="search" value={text} change={setText} />;
}
