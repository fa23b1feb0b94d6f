import { useState } from 'react';

interface Parsed {
  readonly text: string;
  /** Whether the text means a value. */
  readonly isValid: boolean;
  readonly write: (text: string) => void;
}

interface Parsing<T> {
  readonly textOf: (value: T) => string;
  /** Reads a value; throws where the text means none. */
  readonly read: (text: string) => T;
}

/**
 * Returns the text of a value that somebody types. Text that means no value stays as it is, and the previous value stays in force; a value
 * that comes from elsewhere replaces it.
 */
export function useParsed<T>(value: T, change: (value: T) => void, { textOf, read }: Parsing<T>): Parsed {
  const [typed, setTyped] = useState({ value, text: textOf(value), isValid: true });
  const { text, isValid } = Object.is(typed.value, value) ? typed : { text: textOf(value), isValid: true };
  const write = (written: string): void => {
    try {
      const meant = read(written);
      setTyped({ value: meant, text: written, isValid: true });
      change(meant);
    } catch {
      setTyped({ value, text: written, isValid: false });
    }
  };
  return { text, isValid, write };
}
