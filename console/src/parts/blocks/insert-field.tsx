import { Braces } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { TextField } from '../fields.tsx';
import type { TextProps } from '../fields.tsx';
import { FieldDialog } from './field-dialog.tsx';
import { placeholderOf } from './rich-dom.ts';

const NO_NAMES = [] as const;

/** Asks for a field or a translation, and inserts its placeholder. */
export function InsertField({ insert }: { readonly insert: (placeholder: string) => void }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="quiet" onClick={() => setOpen(true)}>
        <Braces aria-hidden="true" size={16} /> Insert field
      </button>
      <FieldDialog
        names={NO_NAMES}
        isOpen={isOpen}
        close={() => setOpen(false)}
        choose={(chip) => {
          setOpen(false);
          insert(placeholderOf(chip));
        }}
      />
    </>
  );
}

/** Returns a ref for a field, and what inserts a text where its caret was and puts the caret behind it. */
export function useInsertion<E extends HTMLInputElement | HTMLTextAreaElement>(
  value: string,
  change: (value: string) => void,
): readonly [field: RefObject<E | null>, insert: (text: string) => void] {
  const field = useRef<E>(null);
  const insert = (text: string): void => {
    const { selectionStart, selectionEnd } = field.current ?? {};
    const from = selectionStart ?? value.length;
    change(value.slice(0, from) + text + value.slice(selectionEnd ?? value.length));
    // The dialog gives the focus back as it closes; the field gets it after that.
    setTimeout(() => {
      field.current?.focus();
      field.current?.setSelectionRange(from + text.length, from + text.length);
    });
  };
  return [field, insert];
}

/** Shows a line of a message, into which fields can be inserted. */
export function LineField(props: TextProps): ReactNode {
  const { value, change } = props;
  const [input, insert] = useInsertion<HTMLInputElement>(value, change);
  return (
    <div className="line-field">
      <TextField {...props} ref={input} />
      <InsertField insert={insert} />
    </div>
  );
}
