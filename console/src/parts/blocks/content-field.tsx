import { LayoutTemplate } from 'lucide-react';
import { Suspense, lazy, useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { Schemas } from '../api.ts';
import { CodeField } from '../code/code-field.tsx';
import { Dialog } from '../dialog.tsx';
import { ofHtml, withDesign } from './content.ts';
import type { MailContent } from './content.ts';
import { allOf } from './model.ts';
import type { Design } from './model.ts';
import { starterDesign } from './starter.ts';
import '../segmented.css';
import './content-field.css';

const StudioWindow = lazy(() => import('./studio-window.tsx').then(({ StudioWindow: View }) => ({ default: View })));

const START_HTML = '<p>Hello {{firstName | "there"}},</p>\n<p></p>';
/** HTML that a mail begins with, here and in a step of an automation. */
const NOTHING_WRITTEN: readonly string[] = ['', '<p></p>', '<p>Hello {{firstName | "there"}}</p>', START_HTML];

interface ChangeProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly label: string;
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly act: () => void;
}

const Ask = ({ title, children, label, isOpen, close, act }: ChangeProps): ReactNode => (
  <Dialog title={title} isOpen={isOpen} close={close}>
    <div className="dialog-text">{children}</div>
    <div className="actions">
      <button type="button" onClick={close}>
        Go back
      </button>
      <button type="button" className="danger" onClick={act}>
        {label}
      </button>
    </div>
  </Dialog>
);

interface ContentProps {
  readonly content: MailContent;
  readonly change: (content: MailContent) => void;
  readonly type: 'transactional' | 'marketing';
  readonly brand: Partial<Schemas['Brand']>;
  readonly disabled?: boolean;
  /** The language that it is written in; null for the default. */
  readonly language?: string | null;
  /** The content that a new design begins with, if it is not the usual one. */
  readonly first?: MailContent | null;
}

interface SwitchProps extends Pick<ContentProps, 'content' | 'change'> {
  /** The usual content that a design begins with. */
  readonly starter: MailContent;
  /** The content that this one begins with. */
  readonly first: MailContent;
}

/** Switches between blocks and HTML, and asks where something is lost by it. */
function Switch({ content, change, starter, first }: SwitchProps): ReactNode {
  const [asking, setAsking] = useState<'html' | 'blocks' | null>(null);
  const isBlocks = content.design !== null;
  const isUntouched = isBlocks && content.body === starter.body;
  const isEmpty = NOTHING_WRITTEN.includes(content.body.trim());
  const to = (changed: MailContent): void => {
    setAsking(null);
    change(changed);
  };
  const toHtml = (): void => to(ofHtml(isUntouched ? START_HTML : content.body));
  const toBlocks = (): void => to(first);
  return (
    <>
      <div className="segmented" role="group" aria-label="Write with">
        <button type="button" aria-pressed={isBlocks} disabled={isBlocks} onClick={() => (isEmpty ? toBlocks() : setAsking('blocks'))}>
          Blocks
        </button>
        <button type="button" aria-pressed={!isBlocks} disabled={!isBlocks} onClick={() => (isUntouched ? toHtml() : setAsking('html'))}>
          HTML
        </button>
      </div>
      <Ask title="Switch to HTML?" label="Switch to HTML" isOpen={asking === 'html'} close={() => setAsking(null)} act={toHtml}>
        <p>The design is removed. Its HTML stays, and you edit it by hand.</p>
      </Ask>
      <Ask title="Start a new design?" label="Replace the HTML" isOpen={asking === 'blocks'} close={() => setAsking(null)} act={toBlocks}>
        <p>A new design replaces your HTML. The HTML cannot be turned into blocks.</p>
      </Ask>
    </>
  );
}

/** Asks which of the two is kept: the design, or the HTML that no longer comes from it. */
const LeftBehind = ({ content, change }: Pick<ContentProps, 'content' | 'change'>): ReactNode =>
  content.behind && (
    <div className="notice" role="note">
      <p>The HTML was changed after its design was saved, so the design does not show what is sent.</p>
      <div className="actions">
        <button type="button" onClick={() => change(ofHtml(content.body))}>
          Keep the HTML
        </button>
        <button type="button" onClick={() => content.behind && change(withDesign(content.behind))}>
          Go back to the design
        </button>
      </div>
    </div>
  );

/** Shows the design, and the way into the editor. */
function DesignCard({ design, change, type, brand, disabled, language = null }: ContentProps & { readonly design: Design }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div className="mail-design">
        <LayoutTemplate aria-hidden="true" />
        <p>
          {allOf(design.blocks).length} blocks
          <span className="hint">No HTML needed: write, drag and preview.</span>
        </p>
        {!disabled && (
          <button type="button" className="primary" onClick={() => setOpen(true)}>
            Edit design
          </button>
        )}
      </div>
      {isOpen && (
        <Suspense fallback={<p className="hint">Loading the editor …</p>}>
          <StudioWindow
            first={design}
            type={type}
            brandColor={brand.color ?? null}
            language={language}
            change={(changed) => change(withDesign(changed))}
            done={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Shows the content of a mail: a design of blocks, or HTML. */
export function ContentField(props: ContentProps): ReactNode {
  const { content, change, type, brand, disabled = false, first } = props;
  const { design } = content;
  const starter = useMemo(() => withDesign(starterDesign(brand, type)), [brand, type]);
  const last = useRef(starter);
  useEffect(() => {
    // Another type of mail begins with another footer.
    if (starter !== last.current && design !== null && content.body === last.current.body) change(starter);
    last.current = starter;
  }, [starter, design, content, change]);
  return (
    <div className="mail-content" role="group" aria-label="Content">
      <div className="mail-content-head">
        <span className="mail-content-label">Content</span>
        {!disabled && <Switch content={content} change={change} starter={starter} first={first ?? starter} />}
      </div>
      {!disabled && <LeftBehind content={content} change={change} />}
      {design ? (
        <DesignCard {...props} design={design} />
      ) : (
        <CodeField label="HTML" value={content.body} change={(body) => change({ ...content, body })} />
      )}
    </div>
  );
}
