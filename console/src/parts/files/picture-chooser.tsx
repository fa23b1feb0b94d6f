import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../api.ts';
import type { Schemas } from '../api.ts';
import { Dialog } from '../dialog.tsx';
import { CheckField, TextField } from '../fields.tsx';
import { Faults } from '../form.tsx';
import { useSettled } from '../settled.ts';
import { DropZone, pathOf } from './drop-zone.tsx';
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
  const found = useQuery({
    queryKey: ['files', asked],
    queryFn: () => api.listFiles({ limit: MOST, ...(asked !== '' && { search: asked }) }).page(),
    placeholderData: keepPreviousData,
  });
  const uploaded = (file: File): void => {
    setSearch('');
    setChosen(file);
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
      <DropZone uploaded={uploaded} />
      <Faults error={found.error} />
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
