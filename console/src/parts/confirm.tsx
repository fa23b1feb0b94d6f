import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { sayOf } from './toasts/store.ts';
import type { Said } from './toasts/store.ts';

interface ConfirmProps<T> {
  readonly label: string;
  readonly title: string;
  /** The consequences of the action. */
  readonly children: ReactNode;
  readonly act: () => Promise<T>;
  readonly done?: () => void;
  /** Text of the toast that follows. */
  readonly said?: Said<T>;
  readonly danger?: boolean;
  /** Whether it is the next step on its screen. */
  readonly primary?: boolean;
  readonly disabled?: boolean;
  /** Whether it asks first; false as long as nothing is lost by it. */
  readonly asks?: boolean;
}

/** Shows a button for what cannot be taken back: it says what will happen, and does it when that is confirmed. */
export function Confirm<T>({
  label,
  title,
  children,
  act,
  done,
  said,
  danger = false,
  primary = false,
  disabled = false,
  asks = true,
}: ConfirmProps<T>): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const acting = useMutation({
    mutationFn: act,
    onSuccess: (result) => {
      setOpen(false);
      done?.();
      sayOf(said, result);
    },
  });
  return (
    <>
      <button
        type="button"
        disabled={disabled}
        className={danger ? 'danger' : primary ? 'primary' : undefined}
        onClick={() => (asks ? setOpen(true) : acting.mutate())}
      >
        {label}
      </button>
      <Dialog title={title} isOpen={isOpen} close={() => setOpen(false)}>
        <div className="dialog-text">{children}</div>
        <div aria-live="polite">{acting.error && <p className="fault">{acting.error.message}</p>}</div>
        <div className="actions">
          <button type="button" onClick={() => setOpen(false)}>
            Go back
          </button>
          <button type="button" className={danger ? 'danger' : 'primary'} disabled={acting.isPending} onClick={() => acting.mutate()}>
            {label}
          </button>
        </div>
      </Dialog>
    </>
  );
}
