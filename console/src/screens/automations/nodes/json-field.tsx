import type { ReactNode } from 'react';
import { AreaField } from '../../../parts/fields.tsx';
import { useParsed } from '../../../parts/parsed.ts';

interface JsonProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: unknown;
  /** Called with what was written as soon as it is JSON; with undefined where nothing is. */
  readonly change: (value: unknown) => void;
}

const JSON_TEXT = {
  textOf: (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2)),
  read: (text: string): unknown => (text.trim() === '' ? undefined : JSON.parse(text)),
};

/** Accepts JSON. */
export function JsonField({ label, hint, value, change }: JsonProps): ReactNode {
  const { text, isValid, write } = useParsed(value, change, JSON_TEXT);
  return (
    <>
      <AreaField label={label} code rows={3} {...(hint !== undefined && { hint })} value={text} change={write} />
      {!isValid && (
        <p className="fault" role="status">
          Enter valid JSON.
        </p>
      )}
    </>
  );
}
