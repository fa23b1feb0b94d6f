import { useMutation } from '@tanstack/react-query';
import { BookmarkPlus } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { api } from '../api.ts';
import { Dialog } from '../dialog.tsx';
import { CheckField, TextField } from '../fields.tsx';
import { Faults } from '../form.tsx';
import { say } from '../toasts/store.ts';
import { useEditing } from './editing.ts';
import { kindOf } from './kinds.ts';
import { blocksAround } from './model.ts';
import type { Block } from './model.ts';
import { useSavedChanged } from './saved-blocks.ts';

const LONGEST_WORDS = 40;

/** Returns how a block is known in a list: its kind, and its first words. */
function wordsOf(block: Block): string {
  const { label } = kindOf(block.kind);
  const spans = block.kind === 'heading' ? block.spans : block.kind === 'text' ? (block.lines[0]?.spans ?? []) : [];
  const words = spans
    .map((span) => ('text' in span ? span.text : `{{${'field' in span ? span.field : `t "${span.translation}"`}}}`))
    .join('');
  return words.trim() === '' ? label : `${label}: ${words.slice(0, LONGEST_WORDS)}`;
}

interface FormProps {
  readonly block: Block;
  readonly close: () => void;
}

/** Asks for a name, and which of the neighbors are saved too. */
function SaveForm({ block, close }: FormProps): ReactNode {
  const { design } = useEditing();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set([block.id]));
  const around = blocksAround(design.blocks, block.id);
  const changed = useSavedChanged();
  const saving = useMutation({
    mutationFn: () => api.createSavedBlock({ name, blocks: around.filter(({ id }) => chosen.has(id)).map((each) => ({ ...each })) }),
    onSuccess: async () => {
      await changed();
      close();
      say('Blocks saved.');
    },
  });
  const choose = (id: string, isChosen: boolean): void => {
    const others = [...chosen].filter((each) => each !== id);
    setChosen(new Set(isChosen ? [...others, id] : others));
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    saving.mutate();
  };
  return (
    <form onSubmit={submit}>
      <TextField label="Name" value={name} change={setName} maxLength={200} autoComplete="off" required />
      {around.length > 1 && (
        <fieldset className="blocks-to-save">
          <legend>Blocks to save</legend>
          {around.map((each) => (
            <CheckField key={each.id} label={wordsOf(each)} checked={chosen.has(each.id)} change={(is) => choose(each.id, is)} />
          ))}
        </fieldset>
      )}
      <p className="hint">You can insert a copy into any mail of the project. Later changes do not reach mail that has one.</p>
      <Faults error={saving.error} />
      <div className="actions">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="submit" className="primary" disabled={saving.isPending || chosen.size === 0}>
          Save
        </button>
      </div>
    </form>
  );
}

/** Shows a button that saves the selected block, or several, under a name. */
export function SaveBlocks({ block }: { readonly block: Block }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" className="tool" aria-label="Save for other mail" title="Save for other mail" onClick={() => setOpen(true)}>
        <BookmarkPlus aria-hidden="true" />
      </button>
      <Dialog title="Save blocks" isOpen={isOpen} close={close}>
        <SaveForm key={block.id} block={block} close={close} />
      </Dialog>
    </>
  );
}
