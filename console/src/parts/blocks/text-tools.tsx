import { Bold, Braces, Italic, Link as LinkIcon, List, ListOrdered } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { Dialog } from '../dialog.tsx';
import { FieldDialog } from './field-dialog.tsx';
import { LinkField } from './link-field.tsx';
import { chipOf } from './rich-dom.ts';
import type { Chip } from './rich-dom.ts';

/** Returns the range that was selected last in text of the mail: dialogs take the selection away. */
function useLastRange(): { readonly current: Range | null } {
  const last = useRef<Range | null>(null);
  useEffect(() => {
    const note = (): void => {
      const selection = getSelection();
      const element = selection?.anchorNode instanceof Element ? selection.anchorNode : selection?.anchorNode?.parentElement;
      if (selection && selection.rangeCount > 0 && element?.closest('.canvas .rich')) last.current = selection.getRangeAt(0).cloneRange();
    };
    document.addEventListener('selectionchange', note);
    return () => document.removeEventListener('selectionchange', note);
  }, []);
  return last;
}

const rootOf = (range: Range): HTMLElement | null => {
  const element = range.startContainer instanceof Element ? range.startContainer : range.startContainer.parentElement;
  return element?.closest<HTMLElement>('.rich') ?? null;
};

function caretAtEnd(root: HTMLElement): Range {
  const range = document.createRange();
  range.selectNodeContents(root);
  range.collapse(false);
  return range;
}

function select(range: Range): void {
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}

/** Selects the range again if it is in this block, else the end of its text; returns the text. */
function restored(range: Range | null, id: string): HTMLElement | null {
  const frame = document.querySelector<HTMLElement>(`.block[data-id="${id}"]`);
  const known = range && rootOf(range);
  const isHere = known?.closest('.block') === frame;
  const root = isHere ? known : frame?.querySelector<HTMLElement>('.rich');
  if (!root) return null;
  root.focus();
  select(isHere && range ? range : caretAtEnd(root));
  return root;
}

const edited = (root: HTMLElement): boolean => root.dispatchEvent(new Event('input', { bubbles: true }));

function insertChip(root: HTMLElement, inserted: Chip): void {
  const range = getSelection()?.getRangeAt(0);
  if (!range) return;
  range.deleteContents();
  const chip = chipOf(inserted);
  range.insertNode(chip);
  range.setStartAfter(chip);
  range.collapse(true);
  edited(root);
}

// Without a selection, the address itself becomes the text.
function selectText(link: string): void {
  if (!getSelection()?.isCollapsed) return;
  document.execCommand('insertText', false, link);
  for (let letter = 0; letter < link.length; letter++) getSelection()?.modify('extend', 'backward', 'character');
}

function setLink(root: HTMLElement, link: string): void {
  if (link === '') document.execCommand('unlink');
  else {
    selectText(link);
    document.execCommand('createLink', false, '#');
    const chosen = getSelection();
    for (const anchor of root.querySelectorAll<HTMLElement>('a'))
      if (anchor.dataset['link'] === undefined || chosen?.containsNode(anchor, true)) anchor.dataset['link'] = link;
  }
  edited(root);
}

/** Returns the link around the selection; empty for none. */
function linkAt(range: Range | null): string {
  const node = range?.commonAncestorContainer;
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest<HTMLElement>('a[data-link]')?.dataset['link'] ?? '';
}

interface ToolProps {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly act: () => void;
}

const Tool = ({ label, icon: Icon, act }: ToolProps): ReactNode => (
  <button type="button" className="tool" aria-label={label} title={label} onMouseDown={(event) => event.preventDefault()} onClick={act}>
    <Icon aria-hidden="true" />
  </button>
);

interface ToolsProps {
  /** The block whose text is edited. */
  readonly id: string;
  /** Whether it has paragraphs and lists. */
  readonly hasLines: boolean;
  readonly names: readonly string[];
}

/** Shows buttons for the text of a block. */
export function TextTools({ id, hasLines, names }: ToolsProps): ReactNode {
  const last = useLastRange();
  const [open, setOpen] = useState<'link' | 'field' | null>(null);
  const [link, setLinkText] = useState('');
  const run = (command: string) => (): void => {
    const root = restored(last.current, id);
    if (!root) return;
    document.execCommand(command);
    edited(root);
  };
  const then = (act: (root: HTMLElement) => void): void => {
    const range = last.current;
    setOpen(null);
    // The dialog gives the focus back as it closes; the text gets it after that.
    setTimeout(() => {
      const root = restored(range, id);
      if (root) act(root);
    });
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    then((root) => setLink(root, link));
  };
  return (
    <>
      <Tool label="Bold" icon={Bold} act={run('bold')} />
      <Tool label="Italic" icon={Italic} act={run('italic')} />
      <Tool
        label="Insert link"
        icon={LinkIcon}
        act={() => {
          setLinkText(linkAt(last.current));
          setOpen('link');
        }}
      />
      {hasLines && <Tool label="Bulleted list" icon={List} act={run('insertUnorderedList')} />}
      {hasLines && <Tool label="Numbered list" icon={ListOrdered} act={run('insertOrderedList')} />}
      <Tool label="Insert field" icon={Braces} act={() => setOpen('field')} />
      <Dialog title="Link" isOpen={open === 'link'} close={() => setOpen(null)}>
        <form onSubmit={submit}>
          <LinkField label="Address" value={link} change={setLinkText} names={names} />
          <div className="actions">
            <button type="button" onClick={() => then((root) => setLink(root, ''))}>
              Remove link
            </button>
            <button type="submit" className="primary">
              Set link
            </button>
          </div>
        </form>
      </Dialog>
      <FieldDialog
        names={names}
        isOpen={open === 'field'}
        close={() => setOpen(null)}
        choose={(chip) => then((root) => insertChip(root, chip))}
      />
    </>
  );
}
