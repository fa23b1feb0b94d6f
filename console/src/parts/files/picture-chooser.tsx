import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { DragEvent, ReactNode } from 'react';
import { api } from '../api.ts';
import type { Schemas } from '../api.ts';
import { Dialog } from '../dialog.tsx';
import { CheckField, TextField } from '../fields.tsx';
import { Faults } from '../form.tsx';
import { useSettled } from '../settled.ts';
import './files.css';

type File = Schemas['File'];

/** A picture, as a mail shows it. */
export interface ChosenPicture {
  readonly src: string;
  /** Empty for a picture that says nothing. */
  readonly alt: string;
  readonly width: number;
  readonly height: number;
}

const TYPES = 'image/png,image/jpeg,image/gif,image/webp';
const MOST = 60;

interface ChooserProps {
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly choose: (picture: ChosenPicture) => void;
}

/** Asks for a picture of the project, or for a new one, and for the text that stands for it. */
export const PictureChooser = ({ isOpen, close, choose }: ChooserProps): ReactNode => (
  <Dialog title="Insert picture" isOpen={isOpen} close={close}>
    <Chooser close={close} choose={choose} />
  </Dialog>
);

// The page is at the address of the API, which serves pictures under every one of its addresses.
const pathOf = ({ url }: File): string => new URL(url).pathname;

interface ShelfProps {
  readonly files: readonly File[];
  readonly chosen: File | null;
  readonly choose: (file: File) => void;
}

const Shelf = ({ files, chosen, choose }: ShelfProps): ReactNode => (
  <ul className="picture-shelf" aria-label="Pictures">
    {files.map((file) => (
      <li key={file.id}>
        <button type="button" aria-pressed={file.id === chosen?.id} onClick={() => choose(file)}>
          <img src={pathOf(file)} alt="" loading="lazy" />
          <span>{file.name}</span>
          <span className="hint">
            {file.width} × {file.height}
          </span>
        </button>
      </li>
    ))}
  </ul>
);

interface DropProps {
  readonly upload: (files: FileList | null) => void;
  readonly isPending: boolean;
}

function DropZone({ upload, isPending }: DropProps): ReactNode {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    upload(event.dataTransfer.files);
  };
  const over = (event: DragEvent): void => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <div className={isOver ? 'picture-drop over' : 'picture-drop'} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
      <label htmlFor={id}>{isPending ? 'Uploading …' : 'Drop a picture here, or choose a file'}</label>
      <input id={id} type="file" accept={TYPES} disabled={isPending} onChange={({ target }) => upload(target.files)} />
      <p className="hint">PNG, JPEG, GIF or WebP, up to 5 MB</p>
    </div>
  );
}

interface AltProps {
  readonly alt: string;
  readonly setAlt: (alt: string) => void;
  readonly decorative: boolean;
  readonly setDecorative: (decorative: boolean) => void;
}

const AltFields = ({ alt, setAlt, decorative, setDecorative }: AltProps): ReactNode => (
  <>
    {!decorative && (
      <TextField
        label="Alternative text"
        hint="For people who do not see the picture: what does it say?"
        value={alt}
        change={setAlt}
        autoComplete="off"
      />
    )}
    <CheckField label="Decorative: it says nothing" checked={decorative} change={setDecorative} />
  </>
);

const NoPictures = ({ isSearch }: { readonly isSearch: boolean }): ReactNode => (
  <p className="hint">{isSearch ? 'No picture has this name.' : 'No pictures yet. Upload the first one.'}</p>
);

function Chooser({ close, choose }: Omit<ChooserProps, 'isOpen'>): ReactNode {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<File | null>(null);
  const [alt, setAlt] = useState('');
  const [decorative, setDecorative] = useState(false);
  const asked = useSettled(search.trim());
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: ['files', asked],
    queryFn: () => api.listFiles({ limit: MOST, ...(asked !== '' && { search: asked }) }).page(),
    placeholderData: keepPreviousData,
  });
  const uploading = useMutation({
    mutationFn: (file: Blob & { readonly name: string }) => api.uploadFile(file, { name: file.name.slice(-200) }),
    onSuccess: (file) => {
      setSearch('');
      setChosen(file);
      void queries.invalidateQueries({ queryKey: ['files'] });
    },
  });
  const upload = (files: FileList | null): void => {
    const file = files?.item(0);
    if (file) uploading.mutate(file);
  };
  const insert = (): void => {
    if (!chosen) return;
    const { url: src, width, height } = chosen;
    choose({ src, alt: decorative ? '' : alt.trim(), width, height });
    close();
  };
  const files = found.data?.rows ?? [];
  const isUndescribed = !decorative && alt.trim() === '';
  return (
    <div className="picture-chooser">
      <DropZone upload={upload} isPending={uploading.isPending} />
      <Faults error={uploading.error ?? found.error} />
      <TextField label="Search" type="search" value={search} change={setSearch} />
      {files.length > 0 && <Shelf files={files} chosen={chosen} choose={setChosen} />}
      {found.isSuccess && files.length === 0 && <NoPictures isSearch={asked !== ''} />}
      {chosen && <AltFields alt={alt} setAlt={setAlt} decorative={decorative} setDecorative={setDecorative} />}
      <div className="actions">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="button" className="primary" disabled={!chosen || isUndescribed} onClick={insert}>
          Insert
        </button>
      </div>
    </div>
  );
}
