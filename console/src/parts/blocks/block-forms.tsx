import { useState } from 'react';
import type { ReactNode } from 'react';
import { CodeField } from '../code/code-field.tsx';
import { AreaField, CheckField, ChoiceField, TextField } from '../fields.tsx';
import { PictureChooser } from '../files/picture-chooser.tsx';
import type { ChosenPicture } from '../files/picture-chooser.tsx';
import { ConditionForm } from './condition-form.tsx';
import { FieldNameField } from './field-name-field.tsx';
import { ColorField, OptionalLabel, PixelsField, withoutNone } from './inputs.tsx';
import { useEditing } from './editing.ts';
import { LinkField } from './link-field.tsx';
import { LINE_COLOR, isName, isSource } from './model.ts';
import type { Block, BlockKind, ColumnsBlock, ImageBlock } from './model.ts';
import { SocialForm } from './social-form.tsx';

interface PictureProps {
  readonly value: string;
  readonly change: (src: string) => void;
  /** Takes a picture from the project's files, with its text. */
  readonly choose: (picture: ChosenPicture) => void;
  readonly names: readonly string[];
}

/** Shows the picture of a block: an uploaded one, or the address of another. */
function PictureField({ value, change, choose, names }: PictureProps): ReactNode {
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

export interface BlockFormProps<B extends Block> {
  readonly block: B;
  readonly change: (block: B) => void;
  /** Names of the elements of repetitions around it. */
  readonly names: readonly string[];
}

type Forms = { readonly [Kind in BlockKind]: (props: BlockFormProps<Extract<Block, { readonly kind: Kind }>>) => ReactNode };

/** The width of a row of a mail, in pixels. */
const WIDEST = 552;

const SHARES: readonly (readonly [string, string])[] = [
  ['', 'Equal widths'],
  ['33,67', 'Narrow, wide'],
  ['67,33', 'Wide, narrow'],
];

interface OwnColor {
  readonly value: string | undefined;
  readonly change: (color: string | undefined) => void;
}

const TextColor = ({ value, change }: OwnColor): ReactNode => (
  <ColorField label="Text color" value={value} otherwise={useEditing().style.text} change={change} />
);

const ButtonColor = ({ value, change }: OwnColor): ReactNode => (
  <ColorField label="Button color" value={value} otherwise={useEditing().style.color} change={change} />
);

const FORMS: Forms = {
  text: ({ block, change }) => (
    <>
      <PixelsField
        label="Text size"
        value={block.size}
        otherwise={16}
        least={12}
        most={28}
        change={(size) => change(withoutNone({ ...block, size }))}
      />
      <TextColor value={block.color} change={(color) => change(withoutNone({ ...block, color }))} />
    </>
  ),
  heading: ({ block, change }) => (
    <>
      <ChoiceField
        label="Level"
        value={String(block.level)}
        options={[
          ['1', 'Title'],
          ['2', 'Heading'],
          ['3', 'Small heading'],
        ]}
        change={(level) => change({ ...block, level: Number(level) as 1 | 2 | 3 })}
      />
      <TextColor value={block.color} change={(color) => change(withoutNone({ ...block, color }))} />
    </>
  ),
  image: ({ block, change, names }) => (
    <>
      <PictureField
        value={block.src}
        names={names}
        change={(src) => change({ ...block, src })}
        choose={({ src, alt, width }) =>
          change(withoutNone<ImageBlock>({ ...block, src, alt, decorative: alt === '' || undefined, width: Math.min(width, WIDEST) }))
        }
      />
      {block.decorative !== true && (
        <AreaField
          label="Alternative text"
          hint="What the picture says, for readers who do not see it"
          rows={2}
          value={block.alt}
          change={(alt) => change({ ...block, alt: alt.slice(0, 1_000) })}
        />
      )}
      <CheckField
        label="Decorative: says nothing to readers"
        checked={block.decorative === true}
        change={(decorative) => change(withoutNone({ ...block, ...(decorative && { alt: '' }), decorative: decorative || undefined }))}
      />
      <LinkField
        label="Link"
        value={block.link ?? ''}
        names={names}
        change={(link) => change(withoutNone({ ...block, link: link === '' ? undefined : link }))}
      />
      <PixelsField
        label="Width"
        value={block.width}
        otherwise={WIDEST}
        least={16}
        most={600}
        change={(width) => change(withoutNone({ ...block, width }))}
      />
      <CheckField
        label="Reach the edges of the mail"
        checked={block.full === true}
        change={(full) => change(withoutNone<ImageBlock>({ ...block, width: undefined, full: full || undefined }))}
      />
    </>
  ),
  button: ({ block, change, names }) => (
    <>
      <LinkField label="Link" value={block.link} names={names} change={(link) => change({ ...block, link })} />
      <ButtonColor value={block.color} change={(color) => change(withoutNone({ ...block, color }))} />
      <CheckField
        label="As wide as the mail"
        checked={block.full === true}
        change={(full) => change(withoutNone({ ...block, full: full || undefined }))}
      />
    </>
  ),
  columns: ({ block, change }) => (
    <>
      <ChoiceField
        label="Columns"
        value={String(block.columns.length)}
        options={[
          ['2', '2 columns'],
          ['3', '3 columns'],
        ]}
        change={(count) => {
          const [first = [], second = [], ...others] = block.columns;
          const columns = count === '3' ? [first, second, []] : [first, [...second, ...others.flat()]];
          change(withoutNone<ColumnsBlock>({ ...block, columns, shares: undefined }));
        }}
      />
      {block.columns.length === 2 && (
        <ChoiceField
          label="Widths"
          value={block.shares?.join(',') ?? ''}
          options={SHARES}
          change={(shares) => change(withoutNone({ ...block, shares: shares === '' ? undefined : shares.split(',').map(Number) }))}
        />
      )}
      <p className="hint">On a phone, the columns are stacked.</p>
    </>
  ),
  divider: ({ block, change }) => (
    <ColorField
      label="Line color"
      value={block.color}
      otherwise={LINE_COLOR}
      change={(color) => change(withoutNone({ ...block, color }))}
    />
  ),
  spacer: ({ block, change }) => (
    <PixelsField
      label="Height"
      value={block.height}
      otherwise={24}
      least={4}
      most={120}
      change={(height = 24) => change({ ...block, height })}
    />
  ),
  social: SocialForm,
  html: ({ block, change }) => (
    <>
      <CodeField label="HTML" value={block.html} change={(html) => change({ ...block, html })} />
      <p className="hint">Sent as it is, with its placeholders. See it in the preview.</p>
    </>
  ),
  footer: ({ block, change }) => (
    <>
      <OptionalLabel
        label="Unsubscribe link"
        value={block.unsubscribe}
        start="Unsubscribe"
        change={(unsubscribe) => change(withoutNone({ ...block, unsubscribe }))}
      />
      <OptionalLabel
        label="Preferences link"
        value={block.preferences}
        start="Email preferences"
        change={(preferences) => change(withoutNone({ ...block, preferences }))}
      />
      <OptionalLabel
        label="View in browser link"
        value={block.browser}
        start="View in browser"
        change={(browser) => change(withoutNone({ ...block, browser }))}
      />
    </>
  ),
  repeat: ({ block, change, names }) => (
    <>
      <FieldNameField label="List" value={block.field} names={names} change={(field) => change({ ...block, field })} />
      <TextField
        label="Name of an element"
        hint={`Its fields are ${block.name}.title, ${block.name}.price and so on.`}
        value={block.name}
        change={(name) => isName(name) && change({ ...block, name })}
      />
    </>
  ),
  condition: ConditionForm,
};

/** Shows the settings of a block, without its text. */
export function BlockForm(props: BlockFormProps<Block>): ReactNode {
  const Form = FORMS[props.block.kind] as (given: BlockFormProps<Block>) => ReactNode;
  return <Form {...props} />;
}
