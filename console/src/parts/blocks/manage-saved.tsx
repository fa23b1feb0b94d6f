import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode, SubmitEvent } from 'react';
import { api } from '../api.ts';
import { Confirm } from '../confirm.tsx';
import { CloseButton, Dialog } from '../dialog.tsx';
import { TextField } from '../fields.tsx';
import { Faults } from '../form.tsx';
import { say } from '../toasts/store.ts';
import { useSavedBlocks, useSavedChanged } from './saved-blocks.ts';
import type { SavedBlocks } from './saved-blocks.ts';

/** Shows a saved block: its name, which can be changed, and its removal. */
function SavedRow({ saved: { id, name } }: { readonly saved: SavedBlocks }): ReactNode {
  const [wanted, setWanted] = useState(name);
  const changed = useSavedChanged();
  const renaming = useMutation({
    mutationFn: () => api.updateSavedBlock(id, { name: wanted }),
    onSuccess: () => {
      say('Saved block renamed.');
      return changed();
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    renaming.mutate();
  };
  return (
    <li>
      <form className="row-of-fields" onSubmit={submit}>
        <TextField label={`Name of ${name}`} value={wanted} change={setWanted} maxLength={200} required />
        <button type="submit" disabled={renaming.isPending || wanted.trim() === name}>
          Rename
        </button>
        <Confirm
          label="Delete"
          title={`Delete ${name}?`}
          danger
          act={() => api.deleteSavedBlock(id)}
          done={() => void changed()}
          said={`${name} deleted.`}
        >
          Mail that has a copy keeps it. You cannot undo this.
        </Confirm>
      </form>
      <Faults error={renaming.error} />
    </li>
  );
}

/** Shows a button for a window in which saved blocks are renamed and deleted; none where there are no saved blocks. */
export function ManageSaved(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { saved } = useSavedBlocks();
  return (
    <>
      {saved.length > 0 && (
        <button type="button" className="quiet" onClick={() => setOpen(true)}>
          Manage saved blocks
        </button>
      )}
      <Dialog title="Saved blocks" isOpen={isOpen} close={() => setOpen(false)}>
        <ul className="saved-blocks">
          {saved.map((each) => (
            <SavedRow key={each.id} saved={each} />
          ))}
        </ul>
        {saved.length === 0 && <p className="hint">No saved blocks are left.</p>}
        <CloseButton close={() => setOpen(false)} />
      </Dialog>
    </>
  );
}
