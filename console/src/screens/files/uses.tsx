import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { CloseButton, Dialog } from '../../parts/dialog.tsx';
import { Answer } from '../../parts/states.tsx';

type File = Schemas['File'];
type Use = Schemas['FileUse'];

const KINDS: Readonly<Record<Use['kind'], readonly [words: string, place: (id: string) => string]>> = {
  brand: ['Logo of', () => '/settings'],
  template: ['Template', (id) => `/templates/${id}`],
  campaign: ['Campaign', (id) => `/campaigns/${id}`],
  workflow: ['Automation', (id) => `/automations/${id}`],
};

const UseList = ({ uses }: { readonly uses: readonly Use[] }): ReactNode => (
  <ul aria-label="Uses">
    {uses.map(({ kind, id, name }) => {
      const [words, place] = KINDS[kind];
      return (
        <li key={id}>
          {words} <Link to={place(id)}>{name}</Link>
        </li>
      );
    })}
  </ul>
);

const NOT_SEEN = 'Mail that was sent by its own HTML, and pages of yours, may show it too.';

/** Asks what shows a picture when it is first shown itself. */
function Uses({ file: { id }, none }: { readonly file: File; readonly none: string }): ReactNode {
  const query = useQuery({ queryKey: ['files', 'uses', id], queryFn: () => api.getFile(id), staleTime: 0 });
  return (
    <Answer query={query} what="uses">
      {({ uses }) => (uses.length === 0 ? <p>{none}</p> : <UseList uses={uses} />)}
    </Answer>
  );
}

/** Opens a window that names what shows a picture. */
export function UsesButton({ file }: { readonly file: File }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" aria-label={`Show uses of ${file.name}`} onClick={() => setOpen(true)}>
        Show uses
      </button>
      <Dialog title={`Uses of ${file.name}`} isOpen={isOpen} close={() => setOpen(false)}>
        <div className="dialog-text">
          <Uses file={file} none="No template, campaign or automation shows it." />
          <p className="hint">{NOT_SEEN}</p>
        </div>
        <CloseButton close={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

interface DeleteProps {
  readonly file: File;
  readonly done: () => void;
}

/** Deletes a picture, after it was said where it is missed. */
export const DeleteFile = ({ file, done }: DeleteProps): ReactNode => (
  <Confirm
    label="Delete"
    title={`Delete ${file.name}?`}
    danger
    act={() => api.deleteFile(file.id)}
    done={done}
    said={`${file.name} deleted.`}
  >
    <p>Mail with this picture, even mail already sent, shows its alternative text from then on.</p>
    <Uses file={file} none="No template, campaign or automation shows it now." />
  </Confirm>
);
