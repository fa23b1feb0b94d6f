import type { ReactNode } from 'react';
import { ChoiceField, TextField } from '../fields.tsx';
import { ColorField, PixelsField, withoutNone } from './inputs.tsx';
import { styleOf } from './model.ts';
import type { Design, DesignStyle } from './model.ts';

const FONTS: readonly (readonly [NonNullable<DesignStyle['font']>, string])[] = [
  ['sans', 'Sans: Helvetica, Arial'],
  ['serif', 'Serif: Georgia'],
  ['rounded', 'Rounded: Trebuchet'],
  ['mono', 'Monospace: Courier'],
];

const LANGUAGE = /^[A-Za-z]{2,8}(?:-[A-Za-z\d]{1,8})*$/;

interface StyleProps {
  readonly design: Design;
  readonly change: (design: Design) => void;
  /** The color of the brand; null if it has none. */
  readonly brandColor: string | null;
}

/** Shows the look of the mail as a whole. */
export function StyleForm({ design, change, brandColor }: StyleProps): ReactNode {
  const whole = styleOf(design.style);
  const { style = {} } = design;
  const put = (changed: { readonly [Key in keyof DesignStyle]: DesignStyle[Key] | undefined }): void =>
    change({ ...design, style: withoutNone<DesignStyle>({ ...style, ...changed }) });
  const standard = styleOf();
  return (
    <section aria-label="Settings of the mail">
      <h3 className="inspector-title">Mail</h3>
      <fieldset>
        <legend className="unseen">The mail</legend>
        <ChoiceField
          label="Font"
          value={whole.font}
          options={FONTS}
          change={(font) => put({ font: font as NonNullable<DesignStyle['font']> })}
        />
        <ColorField label="Buttons and links" value={style.color} otherwise={standard.color} change={(color) => put({ color })} />
        {brandColor !== null && style.color !== brandColor && (
          <button type="button" onClick={() => put({ color: brandColor })}>
            Use the color of the brand
          </button>
        )}
        <ColorField label="Text" value={style.text} otherwise={standard.text} change={(text) => put({ text })} />
        <ColorField label="Mail background" value={style.surface} otherwise={standard.surface} change={(surface) => put({ surface })} />
        <ColorField
          label="Around the mail"
          value={style.background}
          otherwise={standard.background}
          change={(background) => put({ background })}
        />
        <PixelsField
          label="Button corners"
          value={style.radius}
          otherwise={standard.radius}
          least={0}
          most={32}
          change={(radius) => put({ radius })}
        />
        <PixelsField
          label="Width"
          value={style.width}
          otherwise={standard.width}
          least={400}
          most={720}
          change={(width) => put({ width })}
        />
        <TextField
          label="Language"
          hint="Screen readers need it: en, de, pt-BR"
          value={design.lang ?? 'en'}
          change={(lang) => LANGUAGE.test(lang) && change({ ...design, lang })}
          maxLength={35}
        />
      </fieldset>
    </section>
  );
}
