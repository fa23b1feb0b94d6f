import * as Radix from '@radix-ui/react-dialog';
import type { ReactNode } from 'react';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** Shows a window over the page. What is behind it is neither read nor reached until it is closed. */
export const Dialog = ({ title, isOpen, close, children }: DialogProps): ReactNode => (
  <Radix.Root open={isOpen} onOpenChange={(open) => !open && close()}>
    <Radix.Portal>
      {/* Not the library's own overlay, which writes a style into the page: the page's policy allows none. */}
      <div className="veil">
        <Radix.Content className="dialog" aria-describedby={undefined}>
          <Radix.Title>{title}</Radix.Title>
          {children}
        </Radix.Content>
      </div>
    </Radix.Portal>
  </Radix.Root>
);
