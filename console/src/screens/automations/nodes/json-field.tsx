import { useState } from 'react';
import type { ReactNode } from 'react';
import { AreaField } from '../../../parts/fields.tsx';

interface JsonProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: unknown;
  /** Called with what was written as soon as it is JSON; with undefined where nothing is. */
  readonly change: (value: unknown) => void;
}

const textOf = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));

/** Accepts JSON. Text that is not yet valid stays in the field, and the previous value stays in force. */
export function JsonField({ label, hint, value, change }: JsonProps): ReactNode {
  const [text, setText] = useState(() => textOf(value));
  const [isJson, setJson] = useState(true);
  const write = (written: string): void => {
    setText(written);
    try {
      change(written.trim() === '' ? undefined : JSON.parse(written));
      setJson(true);
    } catch {
      setJson(false);
    }
  };
  return (
    <>
      <AreaField label={label} code rows={3} {...(hint !== undefined && { hint })} value={text} change={write} />
      {!isJson && (
        <p className="fault" role="status">
          Enter valid JSON.
        </p>
      )}
    </>
  );
}
