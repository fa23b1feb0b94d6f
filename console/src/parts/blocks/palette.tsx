import { Bookmark } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog } from '../dialog.tsx';
import { Faults } from '../form.tsx';
import { useEditing } from './editing.ts';
import type { Added } from './editing.ts';
import { KINDS } from './kinds.ts';
import { ManageSaved } from './manage-saved.tsx';
import { useSavedBlocks } from './saved-blocks.ts';

interface Offered {
  readonly key: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly added: Added;
}

const OF_KINDS: readonly Offered[] = KINDS.map(({ kind, label, icon }) => ({ key: kind, label, icon, added: { kind } }));

const COPIED = 'Inserted as a copy: later changes of a saved block do not reach this mail.';

/** Saved blocks that can be added, and why they could not be read. */
interface Lists {
  readonly saved: readonly Offered[];
  readonly error: Error | null;
}

function useLists(): Lists {
  const { saved, error } = useSavedBlocks();
  return { saved: saved.map(({ id, name, blocks }) => ({ key: id, label: name, icon: Bookmark, added: { name, blocks } })), error };
}

/** Shows a button for something that can be added: to be pressed, or dragged into the mail. */
function Draggable({
  offered: { label, icon: Icon, added },
  append,
}: {
  readonly offered: Offered;
  readonly append: (added: Added) => void;
}) {
  const { drag } = useEditing();
  return (
    <button
      type="button"
      draggable
      onDragStart={(event) => {
        event.dataTransfer.setData('text/plain', label);
        // A change of the page as a drag begins would end it.
        setTimeout(() => drag(added));
      }}
      onDragEnd={() => drag(null)}
      onClick={() => append(added)}
    >
      <Icon aria-hidden="true" />
      {label}
    </button>
  );
}

/** Shows the kinds of blocks, and what the project has saved. */
export function Palette({ append }: { readonly append: (added: Added) => void }): ReactNode {
  const { saved, error } = useLists();
  return (
    <section className="palette" aria-label="Blocks to add">
      {OF_KINDS.map((offered) => (
        <Draggable key={offered.key} offered={offered} append={append} />
      ))}
      {saved.length > 0 && (
        <>
          <h3 className="palette-title">Saved blocks</h3>
          {saved.map((offered) => (
            <Draggable key={offered.key} offered={offered} append={append} />
          ))}
          <p className="hint">{COPIED}</p>
        </>
      )}
      <ManageSaved />
      <Faults error={error} />
    </section>
  );
}

interface AddProps {
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly choose: (added: Added) => void;
}

/** Asks what to add at a place. */
export function AddDialog({ isOpen, close, choose }: AddProps): ReactNode {
  const { saved } = useLists();
  const grid = (offered: readonly Offered[]): ReactNode => (
    <div className="palette-grid">
      {offered.map(({ key, label, icon: Icon, added }) => (
        <button
          key={key}
          type="button"
          onClick={() => {
            choose(added);
            close();
          }}
        >
          <Icon aria-hidden="true" />
          {label}
        </button>
      ))}
    </div>
  );
  return (
    <Dialog title="Add a block" isOpen={isOpen} close={close}>
      {grid(OF_KINDS)}
      {saved.length > 0 && (
        <>
          <h3 className="palette-title">Saved blocks</h3>
          {grid(saved)}
          <p className="hint">{COPIED}</p>
        </>
      )}
    </Dialog>
  );
}
