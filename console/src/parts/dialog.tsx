import * as Radix from '@radix-ui/react-dialog';
import { useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Toasts } from './toasts/toasts.tsx';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** Names what had the focus, and in edited text where the caret was. */
interface Place {
  readonly element: Element | null;
  readonly range: Range | null;
}

function placeOfFocus(): Place {
  const selection = getSelection();
  return { element: document.activeElement, range: selection && selection.rangeCount > 0 ? selection.getRangeAt(0).cloneRange() : null };
}

function goBackTo({ element, range }: Place): void {
  if (!(element instanceof HTMLElement)) return;
  element.focus();
  if (!element.isContentEditable || !range) return;
  getSelection()?.removeAllRanges();
  getSelection()?.addRange(range);
}

/** Returns what gives the focus back to what had it when the dialog opened, unless something else has got it since. */
export function useGoBack(isOpen: boolean): () => void {
  const before = useRef<Place>(null);
  // Noted before the dialog is drawn and takes the focus.
  useLayoutEffect(() => {
    if (isOpen) before.current = placeOfFocus();
  }, [isOpen]);
  return () => {
    if (before.current && document.activeElement === document.body) goBackTo(before.current);
  };
}

/** Shows a window over the page. What is behind it is neither read nor reached until it is closed; then the focus is where it was. */
export function Dialog({ title, isOpen, close, children }: DialogProps): ReactNode {
  const goBack = useGoBack(isOpen);
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && close()}>
      <Radix.Portal>
        {/* Not the library's own overlay, which writes a style into the page: the page's policy allows none. */}
        <div className="veil">
          <Radix.Content className="dialog" aria-describedby={undefined} onCloseAutoFocus={goBack}>
            <Radix.Title>{title}</Radix.Title>
            {children}
            <Toasts />
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Shows the button of a window in which there is only something to read, or which keeps each change at once. */
export const CloseButton = ({ close }: Pick<DialogProps, 'close'>): ReactNode => (
  <div className="actions">
    <button type="button" onClick={close}>
      Close
    </button>
  </div>
);
