import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useBlocker } from 'react-router';
import { Dialog } from './dialog.tsx';

/** Navigation state for leaving a screen once everything is saved. */
export const SAVED = { state: { isSaved: true } } as const;

const isSaved = (state: unknown): boolean => (state as typeof SAVED.state | null)?.isSaved === true;

interface UnsavedProps {
  readonly is: boolean;
  readonly title?: string;
  /** Text about what is lost. */
  readonly children?: ReactNode;
  readonly stay?: string;
  readonly leave?: string;
}

/** Asks before what was written and not saved is lost: by a link, the way back, or a reload. */
export function Unsaved({
  is,
  title = 'Leave without saving?',
  children = 'Your changes are not saved. If you leave now, they are lost.',
  stay = 'Keep editing',
  leave = 'Discard changes',
}: UnsavedProps): ReactNode {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => is && currentLocation.pathname !== nextLocation.pathname && !isSaved(nextLocation.state),
  );
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    if (is) addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [is]);
  return (
    <Dialog title={title} isOpen={blocker.state === 'blocked'} close={() => blocker.reset?.()}>
      <p>{children}</p>
      <div className="actions">
        <button type="button" onClick={() => blocker.reset?.()}>
          {stay}
        </button>
        <button type="button" className="danger" onClick={() => blocker.proceed?.()}>
          {leave}
        </button>
      </div>
    </Dialog>
  );
}

/** Returns whether what is written differs from what is kept. */
export const differs = (written: unknown, kept: unknown): boolean => JSON.stringify(written) !== JSON.stringify(kept);

/** Options of a query for what a form begins with: loaded again for each form, and then left as it is, whatever is stored meanwhile. */
export const EDITED = { staleTime: 'static', gcTime: 0 } as const;

/** Returns the members that differ from what is kept; of members that belong together, all where one differs. The rest stays as others have stored it. */
export function changesOf<T extends object>(written: T, kept: T, together: readonly (readonly (keyof T)[])[] = []): Partial<T> {
  const isChanged = (name: keyof T): boolean => differs(written[name], kept[name]);
  const companions = (name: keyof T): readonly (keyof T)[] => together.find((names) => names.includes(name)) ?? [name];
  return Object.fromEntries(Object.entries(written).filter(([name]) => companions(name as keyof T).some(isChanged))) as Partial<T>;
}
