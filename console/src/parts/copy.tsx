import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { say } from './toasts/store.ts';

interface CopyProps {
  readonly label: string;
  readonly text: string;
}

/** Copies a text. A browser lets a page do so only over HTTPS or from this machine. */
export function CopyButton({ label, text }: CopyProps): ReactNode {
  const copying = useMutation({ mutationFn: async () => navigator.clipboard.writeText(text), onSuccess: () => say('Copied.') });
  return (
    <div className="actions">
      <button type="button" onClick={() => copying.mutate()}>
        {label}
      </button>
      <span role="status">
        {copying.isError && <span className="fault">The browser does not allow this. Select the text and copy it.</span>}
      </span>
    </div>
  );
}
