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
