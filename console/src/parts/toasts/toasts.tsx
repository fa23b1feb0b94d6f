import { useMutation, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { FocusEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { dismiss, say, useToasts } from './store.ts';
import type { Shown } from './store.ts';
import './toasts.css';

/** Time for which a toast is shown while nobody attends to it. */
const SHOWN_MS = 6_000;
/** Moves the focus to the newest toast. */
const KEY = 'F8';

interface ToastProps {
  readonly toast: Shown;
  /** Whether a pointer or the focus is on the toasts: then none of them goes. */
  readonly isHeld: boolean;
  /** Gives the focus back to what had it before the toasts. */
  readonly goBack: () => void;
}

function UndoButton({ id, undo }: { readonly id: number; readonly undo: () => Promise<unknown> }): ReactNode {
  const queries = useQueryClient();
  const undoing = useMutation({
    mutationFn: undo,
    onSuccess: () => say('Undone.'),
    onError: ({ message }) => say(`Undo failed: ${message}`),
    onSettled: () => {
      dismiss(id);
      return queries.invalidateQueries();
    },
  });
  return (
    <button type="button" className="quiet" disabled={undoing.isPending} onClick={() => undoing.mutate()}>
      Undo
    </button>
  );
}

function OneToast({ toast: { id, text, undo, link }, isHeld, goBack }: ToastProps): ReactNode {
  const item = useRef<HTMLLIElement>(null);
  const back = useRef(goBack);
  useEffect(() => {
    back.current = goBack;
    if (isHeld) return;
    const timer = setTimeout(() => dismiss(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, isHeld, goBack]);
  useLayoutEffect(() => {
    const own = item.current;
    return () => {
      if (own?.contains(document.activeElement)) back.current();
    };
  }, []);
  return (
    <li className="toast" ref={item}>
      <span className="toast-text">{text}</span>
      {link && (
        <Link to={link.to} onClick={() => dismiss(id)}>
          {link.label}
        </Link>
      )}
      {undo && <UndoButton id={id} undo={undo} />}
      <button type="button" className="quiet" aria-label={`Close: ${text}`} onClick={() => dismiss(id)}>
        <X aria-hidden="true" size={16} />
      </button>
    </li>
  );
}

/** Shows what the console says after something was done: over the page, which stays as it is, for a while. */
export function Toasts(): ReactNode {
  const toasts = useToasts();
  const region = useRef<HTMLDivElement>(null);
  const before = useRef<Element>(null);
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  useEffect(() => {
    const go = (event: KeyboardEvent): void => {
      if (event.key === KEY) region.current?.querySelector<HTMLElement>('li:last-child :is(a, button)')?.focus();
    };
    addEventListener('keydown', go);
    return () => {
      removeEventListener('keydown', go);
      dismiss();
    };
  }, []);
  const entered = ({ relatedTarget, currentTarget }: FocusEvent): void => {
    if (relatedTarget instanceof Element && !currentTarget.contains(relatedTarget)) before.current = relatedTarget;
    setFocused(true);
  };
  const [goBack] = useState(() => (): void => {
    const place = before.current?.isConnected ? before.current : document.querySelector('main');
    setFocused(false);
    if (place instanceof HTMLElement) place.focus();
  });
  const isHeld = toasts.length > 0 && (isPointed || isFocused);
  return (
    <div
      ref={region}
      className="toasts"
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocus={entered}
      onBlur={({ relatedTarget, currentTarget }) => setFocused(currentTarget.contains(relatedTarget))}
    >
      <div role="status" aria-live="polite" aria-atomic="false" aria-label={`Notifications (${KEY})`}>
        <ol>
          {toasts.map((toast) => (
            <OneToast key={toast.id} toast={toast} isHeld={isHeld} goBack={goBack} />
          ))}
        </ol>
      </div>
    </div>
  );
}
