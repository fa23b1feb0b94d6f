import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Copy, Eye, PencilLine, Redo2, Trash2, TriangleAlert, Undo2 } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../api.ts';
import { Faults } from '../form.tsx';
import { MailViews } from '../mail-views.tsx';
import { ContactField } from '../preview.tsx';
import { useSettled } from '../settled.ts';
import { Canvas } from './canvas.tsx';
import { EditingContext, useEditing } from './editing.ts';
import { Inspector } from './inspector.tsx';
import { kindOf } from './kinds.ts';
import { namesAround, blockWith } from './model.ts';
import type { Block, BlockKind, Design, DesignWarning } from './model.ts';
import { AddDialog, Palette } from './palette.tsx';
import { SaveBlocks } from './save-blocks.tsx';
import { StyleForm } from './style-form.tsx';
import { TextTools } from './text-tools.tsx';
import { useStudio } from './use-studio.ts';
import './blocks.css';

interface ChecksProps {
  readonly design: Design;
  readonly warnings: readonly DesignWarning[];
  readonly select: (id: string) => void;
}

/** Lists warnings; each leads to its block. */
function Checks({ design, warnings, select }: ChecksProps): ReactNode {
  const nameOf = (id: string): string => {
    const block = blockWith(design.blocks, id);
    return block ? kindOf(block.kind).label : 'Block';
  };
  return (
    <section aria-label="Checks">
      <h3 className="inspector-title">Checks</h3>
      {warnings.length === 0 ? (
        <p className="hint">Nothing to fix.</p>
      ) : (
        <ul className="checks-of-mail">
          {warnings.map(({ code, message, block }, at) => (
            <li key={at} data-code={code}>
              <TriangleAlert aria-hidden="true" />
              <span>
                {message}
                {block !== null && (
                  <button type="button" className="quiet" onClick={() => select(block)}>
                    {`Show: ${nameOf(block)}`}
                  </button>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface PreviewProps {
  readonly html: string;
  readonly type: 'transactional' | 'marketing';
  /** The language that the mail is written in; null for the default. */
  readonly language: string | null;
}

/** Shows the mail as a reader sees it. */
function StudioPreview({ html, type, language }: PreviewProps): ReactNode {
  const [contact, setContact] = useState('');
  const asked = useSettled(JSON.stringify({ html, contact: contact.trim() }));
  const query = useQuery({
    queryKey: ['preview', 'design', asked, type, language],
    queryFn: () => {
      const { html: body, contact: reader } = JSON.parse(asked) as { readonly html: string; readonly contact: string };
      const request = { subject: '', body, type, ...(language !== null && { language }) };
      return api.previewTemplate({ ...request, ...(reader !== '' && { contact: reader }) });
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <div className="studio-preview">
      <Faults error={query.error} />
      <MailViews title="Preview of the mail" shown={query.data}>
        <ContactField value={contact} change={setContact} />
      </MailViews>
    </div>
  );
}

const WITH_TEXT = new Set<BlockKind>(['text', 'heading', 'button', 'footer']);
const WITH_LINES = new Set<BlockKind>(['text', 'footer']);

interface ToolProps {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly act: (() => void) | null;
}

const Tool = ({ label, icon: Icon, act }: ToolProps): ReactNode => (
  <button type="button" className="tool" aria-label={label} title={label} disabled={act === null} onClick={act ?? undefined}>
    <Icon aria-hidden="true" />
  </button>
);

/** Shows buttons for the selected block and its text. */
function BlockTools({ block }: { readonly block: Block }): ReactNode {
  const { design, step, duplicate, remove } = useEditing();
  return (
    <>
      {WITH_TEXT.has(block.kind) && (
        <TextTools id={block.id} hasLines={WITH_LINES.has(block.kind)} names={namesAround(design.blocks, block.id) ?? []} />
      )}
      <span className="studio-tools-end">
        <Tool label="Move up" icon={ArrowUp} act={() => step(block.id, -1)} />
        <Tool label="Move down" icon={ArrowDown} act={() => step(block.id, 1)} />
        <Tool label="Duplicate" icon={Copy} act={() => duplicate(block.id)} />
        <SaveBlocks block={block} />
        <Tool label="Delete" icon={Trash2} act={() => remove(block.id)} />
      </span>
    </>
  );
}

interface ModeProps {
  readonly isPreview: boolean;
  readonly set: (isPreview: boolean) => void;
}

const Mode = ({ isPreview, set }: ModeProps): ReactNode => (
  <div className="segmented" role="group" aria-label="Mode">
    <button type="button" aria-pressed={!isPreview} onClick={() => set(false)}>
      <PencilLine aria-hidden="true" />
      Edit
    </button>
    <button type="button" aria-pressed={isPreview} onClick={() => set(true)}>
      <Eye aria-hidden="true" />
      Preview
    </button>
  </div>
);

export interface StudioProps {
  readonly first: Design;
  readonly type: 'transactional' | 'marketing';
  readonly brandColor: string | null;
  /** The language of the mail, which it is previewed in; null for the default. */
  readonly language: string | null;
  /** Takes the design after each change. */
  readonly change: (design: Design) => void;
  readonly done: () => void;
}

/** Shows the editor of a mail: what it is made of, the mail, and what can be set of it. */
export function Studio({ brandColor, language, done, ...given }: StudioProps): ReactNode {
  const { editing, block, html, warnings, undo, redo, putDesign, show, append, asked, stopAsking, announced, refused } = useStudio(given);
  const [isPreview, setPreview] = useState(false);
  const showChecks = (): void => {
    setPreview(false);
    editing.select(null);
  };
  return (
    <EditingContext value={editing}>
      <div className="window-bar studio-bar">
        <Tool label="Undo" icon={Undo2} act={undo} />
        <Tool label="Redo" icon={Redo2} act={redo} />
        <Mode isPreview={isPreview} set={setPreview} />
        <button type="button" className={warnings.length > 0 ? 'checks-button warned' : 'checks-button'} onClick={showChecks}>
          <TriangleAlert aria-hidden="true" />
          {warnings.length} <span className="word">{warnings.length === 1 ? 'check' : 'checks'}</span>
        </button>
        <button type="button" className="primary" onClick={done}>
          Done
        </button>
        {refused !== null && (
          <p className="fault studio-refused" role="alert">
            {refused}
          </p>
        )}
      </div>
      <p className="unseen" role="status">
        {announced}
      </p>
      {isPreview ? (
        <StudioPreview html={html} type={given.type} language={language} />
      ) : (
        <div className="studio-panes">
          <Palette append={append} />
          <div className="studio-middle">
            <div className="studio-tools" role="toolbar" aria-label="Selected block">
              {block ? <BlockTools block={block} /> : <span className="hint">Select a block to edit it, or add one.</span>}
            </div>
            <Canvas />
          </div>
          <div className={block ? 'inspector open' : 'inspector'}>
            {block ? (
              <Inspector block={block} />
            ) : (
              <>
                <Checks design={editing.design} warnings={warnings} select={show} />
                <StyleForm design={editing.design} change={putDesign} brandColor={brandColor} />
              </>
            )}
          </div>
        </div>
      )}
      <AddDialog isOpen={asked !== null} close={stopAsking} choose={(added) => asked && editing.add(added, asked)} />
    </EditingContext>
  );
}
