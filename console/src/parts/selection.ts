import { useState } from 'react';

/** The rows of a list that are selected, by their ids. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  /** Selects exactly these. */
  readonly set: (ids: readonly string[]) => void;
}

/** Returns the selection of a list. It begins empty, and again whenever `of` changes: rows that are no longer seen are not acted on. */
export function useSelection(of: string): Selection {
  const [{ ids, shownFor }, setState] = useState({ ids: NONE, shownFor: of });
  const current = shownFor === of ? ids : NONE;
  const set = (chosen: Iterable<string>): void => setState({ ids: new Set(chosen), shownFor: of });
  return {
    ids: current,
    set,
    toggle: (id) => set(current.has(id) ? [...current].filter((other) => other !== id) : [...current, id]),
  };
}

const NONE: ReadonlySet<string> = new Set();
