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

/** Shows text that is edited in place. */
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

const chipsIn = (spans: readonly Span[]): number => spans.filter((span) => !('text' in span)).length;

function caretToEnd(root: HTMLElement): void {
  const range = document.createRange();
  range.selectNodeContents(root);
  range.collapse(false);
  getSelection()?.removeAllRanges();
  getSelection()?.addRange(range);
}

interface Drawing {
  /** Whether the element shows something else than the value. */
  readonly differs: boolean;
  /** The number of chips in the value: a placeholder that somebody typed is not drawn as a chip yet. */
  readonly chips: number;
  readonly draw: () => void;
}

/** Draws again what differs from what is shown, and keeps the caret in the text. */
function redraw(root: HTMLElement, { differs, chips, draw }: Drawing): void {
  const isShown = root.childNodes.length > 0 && root.querySelectorAll('.field-chip').length === chips;
  if (!differs && isShown) return;
  const isEdited = root === document.activeElement;
  draw();
  if (isEdited) caretToEnd(root);
}

/** Shows paragraphs and lists. */
export const RichLines = ({ label, value, change }: RichProps<readonly Line[]>): ReactNode => (
  <Editable
    label={label}
    multiline
    draw={(root) =>
      redraw(root, {
        differs: asText(readLines(root)) !== asText(value),
        chips: value.reduce((sum, { spans }) => sum + chipsIn(spans), 0),
        draw: () => drawLines(root, value),
      })
    }
    read={(root) => change(readLines(root))}
  />
);

/** Shows one line. */
export const RichSpans = ({ label, value, change }: RichProps<readonly Span[]>): ReactNode => (
  <Editable
    label={label}
    multiline={false}
    draw={(root) =>
      redraw(root, {
        differs: asText(readSpans(root)) !== asText(value),
        chips: chipsIn(value),
        draw: () => drawSpans(root, value),
      })
    }
    read={(root) => change(readSpans(root))}
  />
);
