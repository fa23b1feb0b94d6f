import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { faultsOf } from './form.tsx';
import { sayOf } from './toasts/store.ts';
import type { Said } from './toasts/store.ts';

interface ActionProps<T> {
  readonly label: string;
  /** Label while it acts. */
  readonly acting?: string;
  /** Names what it acts on, for people who do not see the button's position. */
  readonly description?: string | undefined;
  readonly act: () => Promise<T>;
  readonly done?: (result: T) => void;
  /** Text of the toast that follows. */
  readonly said?: Said<T>;
  readonly className?: string | undefined;
}

/** Shows a button that acts at once, and every fault if that fails. */
export function ActionButton<T>({ label, acting = label, description, act, done, said, className }: ActionProps<T>): ReactNode {
  const { mutate, isPending, error } = useMutation({
    mutationFn: act,
    onSuccess: (result) => {
      done?.(result);
      sayOf(said, result);
    },
  });
  return (
    <>
      <span aria-live="polite">{error && <span className="fault">{faultsOf(error).join('; ')}</span>}</span>
      <button type="button" aria-label={description} className={className} disabled={isPending} onClick={() => mutate()}>
        {isPending ? acting : label}
      </button>
    </>
  );
}
