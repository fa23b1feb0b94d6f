import { useId } from 'react';
import type { ReactNode } from 'react';
import { CheckField, ChoiceField, TextField } from '../fields.tsx';
import type { Align } from './model.ts';

interface ColorProps {
  readonly label: string;
  /** The own color; undefined for the one of the mail. */
  readonly value: string | undefined;
  /** The color where it has none of its own. */
  readonly otherwise: string;
  readonly change: (color: string | undefined) => void;
}

/** Asks for a color, or none of its own. */
export function ColorField({ label, value, otherwise, change }: ColorProps): ReactNode {
  const id = useId();
  return (
    <div className="color-field">
      <label htmlFor={id}>{label}</label>
      <input id={id} type="color" value={value ?? otherwise} onChange={({ target }) => change(target.value)} />
      <code>{value ?? 'Default'}</code>
      {value !== undefined && (
        <button type="button" className="quiet" aria-label={`Use the default for ${label}`} onClick={() => change(undefined)}>
          Reset
        </button>
      )}
    </div>
  );
}

interface PixelsProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly otherwise: number;
  readonly least: number;
  readonly most: number;
  readonly change: (pixels: number | undefined) => void;
}

/** Asks for a number of pixels, within bounds. */
export function PixelsField({ label, value, otherwise, least, most, change }: PixelsProps): ReactNode {
  const id = useId();
  return (
    <div className="pixels-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={least}
        max={most}
        step={1}
        value={value ?? otherwise}
        onChange={({ target }) => change(Number(target.value))}
      />
      <output htmlFor={id}>{value ?? otherwise} px</output>
    </div>
  );
}

const ALIGNS: readonly (readonly [string, string])[] = [
  ['', 'As the text runs'],
  ['left', 'Left'],
  ['center', 'Center'],
  ['right', 'Right'],
];

interface AlignProps {
  readonly value: Align | undefined;
  readonly change: (align: Align | undefined) => void;
}

export const AlignField = ({ value, change }: AlignProps): ReactNode => (
  <ChoiceField
    label="Alignment"
    value={value ?? ''}
    options={ALIGNS}
    change={(align) => change(align === '' ? undefined : (align as Align))}
  />
);

interface LabelProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly start: string;
  readonly change: (label: string | undefined) => void;
}

/** Shows a link that may be left out, with its text. */
export const OptionalLabel = ({ label, value, start, change }: LabelProps): ReactNode => (
  <>
    <CheckField label={label} checked={value !== undefined} change={(checked) => change(checked ? start : undefined)} />
    {value !== undefined && <TextField label={`Text of: ${label}`} value={value} change={change} maxLength={200} />}
  </>
);

/** Returns an object without the members that are undefined: a design has none. */
export const withoutNone = <T extends object>(given: { readonly [Key in keyof T]: T[Key] | undefined }): T =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
