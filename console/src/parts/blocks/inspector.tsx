import type { ReactNode } from 'react';
import { BlockForm } from './block-forms.tsx';
import { useEditing } from './editing.ts';
import { AlignField, ColorField, PixelsField, withoutNone } from './inputs.tsx';
import { kindOf } from './kinds.ts';
import { namesAround } from './model.ts';
import type { Block } from './model.ts';

type Boxed = Extract<Block, { readonly padding?: number }>;

const ALIGNED = new Set<Block['kind']>(['text', 'heading', 'image', 'button', 'social', 'footer']);
const BOXED = new Set<Block['kind']>([...ALIGNED, 'columns', 'divider']);

const isBoxed = (block: Block): block is Boxed => BOXED.has(block.kind);

/** Shows the alignment, space and background of a block. */
function BoxFields({ block, change }: { readonly block: Boxed; readonly change: (block: Block) => void }): ReactNode {
  const { style } = useEditing();
  const standard = block.kind === 'image' && block.full ? 0 : 12;
  return (
    <>
      {ALIGNED.has(block.kind) && <AlignField value={block.align} change={(align) => change(withoutNone<Boxed>({ ...block, align }))} />}
      <PixelsField
        label="Space above and below"
        value={block.padding}
        otherwise={standard}
        least={0}
        most={64}
        change={(padding) => change(withoutNone<Boxed>({ ...block, padding }))}
      />
      <ColorField
        label="Background"
        value={block.background}
        otherwise={style.surface}
        change={(background) => change(withoutNone<Boxed>({ ...block, background }))}
      />
    </>
  );
}

/** Shows the settings of the selected block. */
export function Inspector({ block }: { readonly block: Block }): ReactNode {
  const { design, change } = useEditing();
  const { label, icon: Icon } = kindOf(block.kind);
  return (
    <section aria-label={`Settings of the block: ${label}`}>
      <h3 className="inspector-title">
        <Icon aria-hidden="true" />
        {label}
      </h3>
      <fieldset key={block.id}>
        <legend className="unseen">{label}</legend>
        <BlockForm block={block} change={change} names={namesAround(design.blocks, block.id) ?? []} />
        {isBoxed(block) && <BoxFields block={block} change={change} />}
      </fieldset>
    </section>
  );
}
