import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Faults } from './form.tsx';
import { differs } from './unsaved.tsx';

/** Somebody else has saved other values of what was changed here. */
export class SavedMeanwhile<T> extends Error {
  readonly stored: T;

  constructor(stored: T) {
    super('Somebody else has saved other changes.');
    this.stored = stored;
  }
}

/** Returns the languages of variants next to the other members. */
const flat = ({ variants, ...members }: { readonly variants?: object }): Readonly<Record<string, unknown>> => ({ ...members, ...variants });

/** Throws `SavedMeanwhile` when somebody else has given other values to what is changed here. `theirs` are the changes of what is stored now. */
export function refuseOther<T>(stored: T, mine: object, theirs: object): void {
  const [own, other] = [flat(mine), flat(theirs)];
  if (Object.keys(own).some((name) => name in other && differs(own[name], other[name]))) throw new SavedMeanwhile(stored);
}

interface FaultsProps<T> {
  readonly error: Error | null;
  /** The page that shows what is stored. */
  readonly page: string;
  /** Saves what is written here, over what somebody else has stored. */
  readonly replace: (stored: T) => void;
  /** Continues with what somebody else has stored. */
  readonly discard: (stored: T) => void;
}

/** Says why something was not saved; where somebody else has changed the same, it asks whose changes stay. */
export function SaveFaults<T>({ error, page, replace, discard }: FaultsProps<T>): ReactNode {
  if (!(error instanceof SavedMeanwhile)) return <Faults error={error} />;
  const stored = error.stored as T;
  const answer = (act: (stored: T) => void) => (): void => {
    // The focus is not lost with this notice.
    document.querySelector('main')?.focus();
    act(stored);
  };
  return (
    <div className="notice" role="alert">
      <p>
        Not saved. Somebody else has changed this since you opened the page.{' '}
        <Link to={page} target="_blank">
          View their version
        </Link>
      </p>
      <div className="actions">
        <button type="button" onClick={answer(discard)}>
          Discard my changes
        </button>
        <button type="button" onClick={answer(replace)}>
          Replace their changes
        </button>
      </div>
    </div>
  );
}
