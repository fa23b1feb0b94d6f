import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { ApiError } from './api.ts';
import { Dialog } from './dialog.tsx';
import { sayOf } from './toasts/store.ts';
import type { Said } from './toasts/store.ts';

interface FormProps<T> {
  readonly label: string;
  readonly title: string;
  /** The fields of the form. */
  readonly children: ReactNode;
  /** Sends what was written. What it throws is shown, and the form stays open. */
  readonly send: () => Promise<T>;
  readonly done?: () => void;
  /** Text of the toast that follows. */
  readonly said?: Said<T>;
  readonly save?: string;
  readonly primary?: boolean;
  /** Called when the form opens, to begin with the current values. */
  readonly begin?: () => void;
  /** Whether the form is open when it is first shown. */
  readonly opens?: boolean;
}

/** Returns every fault that the API has found, one by one where it names several. */
export const faultsOf = (error: Error): readonly string[] =>
  error instanceof ApiError && error.details.length > 0
    ? error.details.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    : [error.message];

/** Shows what is wrong with the input; nothing if all is well. */
export const Faults = ({ error }: { readonly error: Error | null }): ReactNode => (
  <div aria-live="polite">
    {error && (
      <ul className="fault">
        {faultsOf(error).map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
    )}
  </div>
);

/** Shows a button that opens a form in a window, and closes it when what was written is taken. */
export function FormDialog<T>({
  label,
  title,
  children,
  send,
  done,
  said,
  save = 'Save',
  primary = false,
  begin,
  opens = false,
}: FormProps<T>): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const sending = useMutation({
    mutationFn: send,
    onSuccess: (result) => {
      setOpen(false);
      done?.();
      sayOf(said, result);
    },
  });
  const open = (): void => {
    sending.reset();
    begin?.();
    setOpen(true);
  };
  useEffect(() => {
    if (opens) open();
    // Only once: what is closed stays closed.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    sending.mutate();
  };
  return (
    <>
      <button type="button" className={primary ? 'primary' : undefined} onClick={open}>
        {label}
      </button>
      <Dialog title={title} isOpen={isOpen} close={() => setOpen(false)}>
        <form onSubmit={submit}>
          {children}
          <Faults error={sending.error} />
          <div className="actions">
            <button type="button" onClick={() => setOpen(false)}>
              Cancel
            </button>
            <button type="submit" className="primary" disabled={sending.isPending}>
              {save}
            </button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
