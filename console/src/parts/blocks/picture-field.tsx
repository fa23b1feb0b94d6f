import type { ReactNode } from 'react';
import { LinkField } from './link-field.tsx';
import { isSource } from './model.ts';

interface PictureProps {
  readonly value: string;
  readonly change: (src: string) => void;
  readonly names: readonly string[];
}

/** The address of a picture. */
export const PictureField = ({ value, change, names }: PictureProps): ReactNode => (
  <LinkField
    label="Picture URL"
    hint="The https address of a PNG, JPEG or GIF"
    value={value}
    change={change}
    names={names}
    accepts={isSource}
  />
);
