import type { ReactNode } from 'react';
import { instantOf, localOf } from './dates.tsx';
import { TextField } from './fields.tsx';
import { useParsed } from './parsed.ts';

interface MomentProps {
  readonly label: string;
  readonly hint?: string;
  readonly required?: boolean;
  /** An instant; empty for none. */
  readonly value: string;
  readonly change: (value: string) => void;
}

// What is typed stays as it is: before there were time zones, an instant is not the same minute on the reader's clock and back.
const MOMENT_TEXT = {
  textOf: (value: string): string => (Number.isNaN(Date.parse(value)) ? '' : localOf(value)),
  read: (text: string): string => (text === '' ? '' : instantOf(text)),
};

/** Accepts a moment on the reader's clock, up to the year 9999. */
export function MomentField({ value, change, ...rest }: MomentProps): ReactNode {
  const { text, write } = useParsed(value, change, MOMENT_TEXT);
  return <TextField {...rest} type="datetime-local" max="9999-12-31T23:59" value={text} change={write} />;
}
