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

function isRead(text: string, read: (text: string) => unknown): boolean {
  try {
    read(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the text of a value that somebody types. Text that means no value stays as it is, and the previous value stays in force; a value
 * that comes from elsewhere replaces it.
 */
export function useParsed<T>(value: T, change: (value: T) => void, { textOf, read }: Parsing<T>): Parsed {
  const [typed, setTyped] = useState({ value, text: textOf(value) });
  const text = Object.is(typed.value, value) ? typed.text : textOf(value);
  const write = (written: string): void => {
    try {
      const meant = read(written);
      setTyped({ value: meant, text: written });
      change(meant);
    } catch {
      setTyped({ value, text: written });
    }
  };
  return { text, isValid: isRead(text, read), write };
}
