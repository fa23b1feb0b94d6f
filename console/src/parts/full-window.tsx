import * as Radix from '@radix-ui/react-dialog';
import type { ReactNode } from 'react';
import { useGoBack } from './dialog.tsx';
import { Toasts } from './toasts/toasts.tsx';
import './full-window.css';

interface WindowProps {
  readonly title: string;
  /** A bar, and what is below it. */
  readonly children: ReactNode;
}

/** Shows a window as large as the page, until it is taken away. Escape leaves a text in it, and not the window. */
export function FullWindow({ title, children }: WindowProps): ReactNode {
  const goBack = useGoBack(true);
  return (
    <Radix.Root open>
      <Radix.Portal>
        <div className="full-veil">
          <Radix.Content
            className="full-window"
            aria-describedby={undefined}
            onEscapeKeyDown={(event) => event.preventDefault()}
            onCloseAutoFocus={goBack}
          >
            <Radix.Title className="unseen">{title}</Radix.Title>
            {children}
            <Toasts />
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}
