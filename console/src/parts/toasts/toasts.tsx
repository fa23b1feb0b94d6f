import { useMutation, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { FocusEvent, ReactNode, RefObject } from 'react';
import { Link } from 'react-router';
import { dismiss, say, useToasts } from './store.ts';
import type { Shown } from './store.ts';
import './toasts.css';

/** Time for which a toast is shown, and again for as long as a pointer or the focus is on one of them. */
const SHOWN_MS = 6_000;
const HELD = ':hover, :focus-within';
/** Moves the focus to the newest toast. */
const KEY = 'F8';

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

interface ToastProps {
  readonly toast: Shown;
  /** The element that had the focus before the toasts, and gets it back. */
  readonly before: RefObject<Element | null>;
}

function goBackTo({ current }: RefObject<Element | null>): void {
  const place = current?.isConnected ? current : document.querySelector('main');
  if (place instanceof HTMLElement) place.focus();
}

function OneToast({ toast: { id, text, undo, link }, before }: ToastProps): ReactNode {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!item.current?.closest('.toasts')?.matches(HELD)) dismiss(id);
    }, SHOWN_MS);
    return () => clearInterval(timer);
  }, [id]);
  useLayoutEffect(() => {
    const own = item.current;
    return () => {
      if (own?.contains(document.activeElement)) goBackTo(before);
    };
  }, [before]);
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

/** Shows what was done, over the page or the window that it is in, which stays as it is. */
export function Toasts(): ReactNode {
  const toasts = useToasts();
  const region = useRef<HTMLDivElement>(null);
  const before = useRef<Element>(null);
  useEffect(() => {
    const go = ({ key }: KeyboardEvent): void => {
      if (key === KEY) region.current?.querySelector<HTMLElement>('li:last-child :is(a, button)')?.focus();
    };
    addEventListener('keydown', go);
    return () => removeEventListener('keydown', go);
  }, []);
  const entered = ({ relatedTarget, currentTarget }: FocusEvent): void => {
    if (relatedTarget instanceof Element && !currentTarget.contains(relatedTarget)) before.current = relatedTarget;
  };
  return (
    <div ref={region} className="toasts" onFocus={entered}>
      {/* The explicit `aria-live` keeps it readable while a window is open. */}
      <div role="status" aria-live="polite" aria-atomic="false" aria-label={`Notifications (${KEY})`}>
        <ol>
          {toasts.map((toast) => (
            <OneToast key={toast.id} toast={toast} before={before} />
          ))}
        </ol>
      </div>
    </div>
  );
}
