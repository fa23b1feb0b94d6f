import { GripVertical, Plus } from 'lucide-react';
import { Fragment, createContext, use, useState } from 'react';
import type { DragEvent, KeyboardEvent, ReactNode } from 'react';
import { useEditing } from './editing.ts';
import { Face } from './faces.tsx';
import { kindOf } from './kinds.ts';
import type { Block, Spot } from './model.ts';

/** The number of blocks with columns around a block. */
const Depth = createContext(0);

/** Shows a place between two blocks, where a block is added or dropped. */
function Gap({ spot, isEmpty }: { readonly spot: Spot; readonly isEmpty: boolean }): ReactNode {
  const { ask, dragged, drop } = useEditing();
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent): void => {
    if (!dragged) return;
    event.preventDefault();
    event.stopPropagation();
    setOver(true);
  };
  const dropped = (event: DragEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    setOver(false);
    drop(spot);
  };
  return (
    <div
      className={['gap', isEmpty ? 'empty' : '', isOver ? 'over' : ''].join(' ')}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={dropped}
    >
      <button type="button" aria-label="Add a block here" onClick={() => ask(spot)}>
        <Plus aria-hidden="true" />
        {isEmpty && <span>Add a block</span>}
      </button>
    </div>
  );
}

interface FrameProps {
  readonly block: Block;
  /** Its place. */
  readonly spot: Spot;
  /** The number of blocks in its list. */
  readonly of: number;
}

/** Takes what is dropped on a block: before it on its upper half, else after it. */
function useDropOn(spot: Spot) {
  const { dragged, drop } = useEditing();
  const [side, setSide] = useState<'before' | 'after' | null>(null);
  const over = (event: DragEvent): void => {
    if (!dragged) return;
    event.preventDefault();
    event.stopPropagation();
    const { top, height } = event.currentTarget.getBoundingClientRect();
    setSide(event.clientY < top + height / 2 ? 'before' : 'after');
  };
  const dropped = (event: DragEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    setSide(null);
    drop(side === 'before' ? spot : { ...spot, at: spot.at + 1 });
  };
  return { side, handlers: { onDragOver: over, onDragLeave: () => setSide(null), onDrop: dropped } };
}

const isOwn = (event: KeyboardEvent): boolean => event.target === event.currentTarget;

function focusNext(from: HTMLElement, by: -1 | 1): void {
  const frames = [...(from.closest('.canvas')?.querySelectorAll<HTMLElement>('.block') ?? [])];
  frames[frames.indexOf(from) + by]?.focus();
}

function Frame({ block, spot, of }: FrameProps): ReactNode {
  const { selected, select, remove, duplicate, step, drag } = useEditing();
  const depth = use(Depth);
  const { side, handlers } = useDropOn(spot);
  const isSelected = selected === block.id;
  const { label } = kindOf(block.kind);
  const chord = ({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): string =>
    [altKey && 'alt', (ctrlKey || metaKey) && 'ctrl', key.toLowerCase()].filter(Boolean).join(' ');
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const frame = event.currentTarget;
    const deeds: Readonly<Record<string, () => void>> = {
      'alt arrowup': () => step(block.id, -1),
      'alt arrowdown': () => step(block.id, 1),
      ...(isOwn(event) && {
        arrowup: () => focusNext(frame, -1),
        arrowdown: () => focusNext(frame, 1),
        enter: () => frame.querySelector<HTMLElement>('.rich')?.focus(),
        delete: () => remove(block.id),
        backspace: () => remove(block.id),
        'ctrl d': () => duplicate(block.id),
      }),
      ...(!isOwn(event) && event.target instanceof HTMLElement && event.target.isContentEditable && { escape: () => frame.focus() }),
    };
    const deed = deeds[chord(event)];
    if (!deed) return;
    event.preventDefault();
    event.stopPropagation();
    deed();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys move it; no role is both a group of fields and a control
    <div
      className={['block', isSelected ? 'selected' : '', side ? `drop-${side}` : ''].join(' ')}
      {...handlers}
      data-id={block.id}
      role="group"
      aria-label={`${label}, ${spot.at + 1} of ${of}`}
      tabIndex={0}
      onFocus={(event) => {
        event.stopPropagation();
        select(block.id);
      }}
      onClick={(event) => {
        event.stopPropagation();
        select(block.id);
      }}
      onKeyDown={press}
    >
      <span
        className="grip"
        title="Drag to move"
        aria-hidden="true"
        draggable
        onDragStart={(event) => {
          event.stopPropagation();
          event.dataTransfer.effectAllowed = 'move';
          event.dataTransfer.setData('text/plain', block.id);
          // A change of the page as a drag begins would end it.
          setTimeout(() => drag({ id: block.id }));
        }}
        onDragEnd={() => drag(null)}
      >
        <GripVertical />
        {label}
      </span>
      <Depth value={block.kind === 'columns' ? depth + 1 : depth}>
        <Face block={block} isInColumn={depth > 0} lists={(blocks, list) => <BlockList blocks={blocks} parent={block.id} list={list} />} />
      </Depth>
    </div>
  );
}

interface ListProps {
  readonly blocks: readonly Block[];
  readonly parent: string | null;
  readonly list: number;
}

/** Shows blocks below each other, with a place to add one before, between and after them. */
const BlockList = ({ blocks, parent, list }: ListProps): ReactNode => (
  <>
    {blocks.map((block, at) => (
      <Fragment key={block.id}>
        <Gap spot={{ parent, list, at }} isEmpty={false} />
        <Frame block={block} spot={{ parent, list, at }} of={blocks.length} />
      </Fragment>
    ))}
    <Gap spot={{ parent, list, at: blocks.length }} isEmpty={blocks.length === 0} />
  </>
);

/** Shows the mail, drawn as it is written. */
export function Canvas(): ReactNode {
  const { design, style, select, dragged } = useEditing();
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the button of the checks does the same
    <section
      className={dragged ? 'canvas dragging' : 'canvas'}
      aria-label="Mail"
      style={{ background: style.background }}
      // A click outside of the mail selects the mail as a whole.
      onClick={() => select(null)}
    >
      <div
        className="canvas-mail"
        lang={design.lang ?? 'en'}
        style={{ background: style.surface, maxWidth: style.width, color: style.text }}
      >
        <BlockList blocks={design.blocks} parent={null} list={0} />
      </div>
    </section>
  );
}
