import { useEffect, useState } from 'react';

const CHANGING_MS = 500;

/** Returns a value as it was when it had not changed for a moment: what is asked of the API while somebody types. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), CHANGING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
