import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { api } from '../api.ts';
import type { Schemas } from '../api.ts';
import { useChanged } from '../changed.ts';
import { useDrop } from '../drop.ts';
import { Faults } from '../form.tsx';
import { say } from '../toasts/store.ts';
import './files.css';

type File = Schemas['File'];

const TYPES = 'image/png,image/jpeg,image/gif,image/webp';

// The page is at the address of the API, which serves pictures under every one of its addresses.
export const pathOf = ({ url }: File): string => new URL(url).pathname;

/** Uploads a picture that is dropped on it or chosen from a folder, and says what is wrong with it. */
export function DropZone({ uploaded }: { readonly uploaded?: (file: File) => void }): ReactNode {
  const id = useId();
  const changed = useChanged('files');
  const uploading = useMutation({
    mutationFn: (file: Blob & { readonly name: string }) => api.uploadFile(file, { name: file.name.slice(-200) }),
    onSuccess: (file) => {
      uploaded?.(file);
      say(`${file.name} is stored.`);
      changed();
    },
  });
  const upload = (files: FileList | null): void => {
    const file = files?.item(0);
    if (file) uploading.mutate(file);
  };
  const { isOver, handlers } = useDrop(upload);
  return (
    <>
      <div className={isOver ? 'picture-drop over' : 'picture-drop'} {...handlers}>
        <label htmlFor={id}>{uploading.isPending ? 'Uploading …' : 'Drop a picture here, or choose a file'}</label>
        <input id={id} type="file" accept={TYPES} disabled={uploading.isPending} onChange={({ target }) => upload(target.files)} />
        <p className="hint">PNG, JPEG, GIF or WebP, up to 5 MB</p>
      </div>
      <Faults error={uploading.error} />
    </>
  );
}
