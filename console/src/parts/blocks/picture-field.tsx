import { useState } from 'react';
import type { ReactNode } from 'react';
import { PictureChooser } from '../files/picture-chooser.tsx';
import type { ChosenPicture } from '../files/picture-chooser.tsx';
import { LinkField } from './link-field.tsx';
import { isSource } from './model.ts';

interface PictureProps {
  readonly value: string;
  readonly change: (src: string) => void;
  /** Takes a picture from the project's files, with its text. */
  readonly choose: (picture: ChosenPicture) => void;
  readonly names: readonly string[];
}

/** Shows the picture of a block: an uploaded one, or the address of another. */
export function PictureField({ value, change, choose, names }: PictureProps): ReactNode {
  const [isChoosing, setChoosing] = useState(false);
  return (
    <>
      <p>
        <button type="button" onClick={() => setChoosing(true)}>
          {value === '' ? 'Choose a picture' : 'Replace the picture'}
        </button>
      </p>
      <PictureChooser isOpen={isChoosing} close={() => setChoosing(false)} choose={choose} />
      <LinkField
        label="Picture URL"
        hint="The https address of a PNG, JPEG or GIF"
        value={value}
        change={change}
        names={names}
        accepts={isSource}
      />
    </>
  );
}
