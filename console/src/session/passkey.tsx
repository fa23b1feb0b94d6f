import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { signInByPasskey } from '../parts/factors/calls.ts';

/** Signs in by a passkey. */
export function PasskeySignIn({ label, done }: { readonly label: string; readonly done: () => void }): ReactNode {
  const { mutate, error, isPending } = useMutation({ mutationFn: signInByPasskey, onSuccess: done });
  return (
    <>
      <div aria-live="polite">{error && <p className="fault">{error.message}</p>}</div>
      <button type="button" disabled={isPending} onClick={() => mutate()}>
        {label}
      </button>
    </>
  );
}
