import { useLayoutEffect, useRef } from 'react';
import type { ClipboardEvent, KeyboardEvent, ReactNode } from 'react';
import { drawLines, drawSpans, readLines, readSpans } from './rich-dom.ts';
import type { Line, Span } from './model.ts';

interface FaceProps {
  readonly label: string;
  readonly multiline: boolean;
  /** Draws the value, unless the element shows it already. */
  readonly draw: (root: HTMLElement) => void;
  readonly read: (root: HTMLElement) => void;
}

/** Text that is edited in place. */
function Editable({ label, multiline, draw, read }: FaceProps): ReactNode {
  const root = useRef<HTMLDivElement>(null);
  // Without dependencies: what is shown is compared with the value, and drawn only where they differ.
  useLayoutEffect(() => {
    if (root.current) draw(root.current);
  });
  const paste = (event: ClipboardEvent): void => {
    event.preventDefault();
    const text = event.clipboardData.getData('text/plain');
    // Paragraphs of another program come as text: its styles stay there.
    document.execCommand('insertText', false, multiline ? text : text.replaceAll(/\s+/g, ' '));
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || multiline) return;
    event.preventDefault();
    if (event.shiftKey) document.execCommand('insertLineBreak');
  };
  return (
    <div
      ref={root}
      className="rich"
      role="textbox"
      tabIndex={0}
      aria-label={label}
      aria-multiline={multiline}
      contentEditable
      suppressContentEditableWarning
      onInput={({ currentTarget }) => read(currentTarget)}
      onPaste={paste}
      onKeyDown={press}
      onFocus={() => {
        document.execCommand('styleWithCSS', false, 'false');
        document.execCommand('defaultParagraphSeparator', false, 'p');
      }}
    />
  );
}

interface RichProps<T> {
  readonly label: string;
  readonly value: T;
  readonly change: (value: T) => void;
}

const asText = (value: unknown): string => JSON.stringify(value);

/** Whether what was read became more than was shown: a placeholder that was typed is drawn as a field. */
const hasTyped = (root: HTMLElement): boolean => /\{\{[^{}]*\}\}/.test(root.textContent ?? '');

function caretToEnd(root: HTMLElement): void {
  const range = document.createRange();
  range.selectNodeContents(root);
  range.collapse(false);
  getSelection()?.removeAllRanges();
  getSelection()?.addRange(range);
}

/** Draws again what differs from what is shown, and keeps the caret in the text. */
function redraw(root: HTMLElement, differs: boolean, draw: () => void): void {
  if (!differs && !hasTyped(root) && root.childNodes.length > 0) return;
  const isEdited = root === document.activeElement;
  draw();
  if (isEdited) caretToEnd(root);
}

/** Paragraphs and lists. */
export const RichLines = ({ label, value, change }: RichProps<readonly Line[]>): ReactNode => (
  <Editable
    label={label}
    multiline
    draw={(root) => redraw(root, asText(readLines(root)) !== asText(value), () => drawLines(root, value))}
    read={(root) => change(readLines(root))}
  />
);

/** One line. */
export const RichSpans = ({ label, value, change }: RichProps<readonly Span[]>): ReactNode => (
  <Editable
    label={label}
    multiline={false}
    draw={(root) => redraw(root, asText(readSpans(root)) !== asText(value), () => drawSpans(root, value))}
    read={(root) => change(readSpans(root))}
  />
);
