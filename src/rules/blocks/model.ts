/** The version of the design's form that this release writes. */
export const DESIGN_VERSION = 1;

/** A color as `#rrggbb`. */
export type Color = string;

/** The place of a value, as a placeholder names it: `firstName`, `data.plan`, `item.price`. */
export type Path = string;

/** An address on the web (`https:`, `http:`, `mailto:` or `tel:`), with placeholders in it: `https://example.com/{{data.slug}}`; or one placeholder. */
type Link = string;

export type Align = 'left' | 'center' | 'right';

/** The look of a piece of text, and its link. */
export interface Marks {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly link?: Link;
}

/** Text that is shown as it is written: braces and brackets too. */
interface TextSpan extends Marks {
  readonly text: string;
}

/** The value of a field, or the fallback where the reader has none. */
interface FieldSpan extends Marks {
  readonly field: Path;
  readonly fallback?: string;
}

/** A text of the project in the reader's language, or the fallback where there is none. */
interface TranslationSpan extends Marks {
  /** Its key, as `{{t "key"}}` reads it. */
  readonly translation: string;
  readonly fallback?: string;
}

export type Span = TextSpan | FieldSpan | TranslationSpan;

/** A paragraph, or an item of a list. */
export interface Line {
  readonly list?: 'bullet' | 'number';
  readonly spans: readonly Span[];
}

interface Common {
  /** Distinguishes the block within its design. */
  readonly id: string;
}

/** The alignment, space and background of a block. */
interface Boxed extends Common {
  readonly align?: Align;
  /** The color behind the block. */
  readonly background?: Color;
  /** Pixels above and below. */
  readonly padding?: number;
}

export interface TextBlock extends Boxed {
  readonly kind: 'text';
  readonly lines: readonly Line[];
  readonly color?: Color;
  /** Pixels; the letters are 16 pixels high where it is absent. */
  readonly size?: number;
}

export interface HeadingBlock extends Boxed {
  readonly kind: 'heading';
  readonly level: 1 | 2 | 3;
  readonly spans: readonly Span[];
  readonly color?: Color;
}

export interface ImageBlock extends Boxed {
  readonly kind: 'image';
  readonly src: Link;
  readonly alt: string;
  /** True for a picture that says nothing: its `alt` stays empty. */
  readonly decorative?: boolean;
  readonly link?: Link;
  /** Pixels; as wide as its row where it is absent. */
  readonly width?: number;
  /** Whether it reaches the edges of the mail. */
  readonly full?: boolean;
}

export interface ButtonBlock extends Boxed {
  readonly kind: 'button';
  readonly label: readonly Span[];
  readonly link: Link;
  /** The color of the button; the color of the design where it is absent. */
  readonly color?: Color;
  /** Whether it is as wide as its row. */
  readonly full?: boolean;
}

export interface ColumnsBlock extends Boxed {
  readonly kind: 'columns';
  /** Two or three columns. On a narrow screen they lie below each other. */
  readonly columns: readonly (readonly Block[])[];
  /** The share of each column in percent; equal shares where it is absent. */
  readonly shares?: readonly number[];
}

export interface DividerBlock extends Boxed {
  readonly kind: 'divider';
  readonly color?: Color;
}

interface SpacerBlock extends Common {
  readonly kind: 'spacer';
  /** Pixels. */
  readonly height: number;
}

export interface SocialBlock extends Boxed {
  readonly kind: 'social';
  readonly links: readonly { readonly name: string; readonly link: Link }[];
}

/** HTML of its author, with placeholders, as it is. */
interface HtmlBlock extends Common {
  readonly kind: 'html';
  readonly html: string;
}

export interface FooterBlock extends Boxed {
  readonly kind: 'footer';
  readonly lines: readonly Line[];
  /** The text of the link to unsubscribe; no link where it is absent. */
  readonly unsubscribe?: string;
  /** The text of the link to the preferences. */
  readonly preferences?: string;
  /** The text of the link that shows the mail in the browser. */
  readonly browser?: string;
}

export interface RepeatBlock extends Common {
  readonly kind: 'repeat';
  /** The list. */
  readonly field: Path;
  /** The name of an element within the blocks. */
  readonly name: string;
  readonly blocks: readonly Block[];
}

export const OPERATORS = ['present', 'absent', 'equals', 'differs', 'greater', 'less'] as const;

/** A question about one field. */
export interface FieldTest {
  readonly field: Path;
  readonly operator: (typeof OPERATORS)[number];
  /** The value that it is compared with; none for `present` and `absent`. */
  readonly value?: string | number | boolean;
}

export interface ConditionBlock extends Common {
  readonly kind: 'condition';
  /** Whether all tests have to hold, or any. */
  readonly match: 'all' | 'any';
  readonly tests: readonly FieldTest[];
  readonly blocks: readonly Block[];
  /** Shown instead. */
  readonly otherwise?: readonly Block[];
}

export type Block =
  | TextBlock
  | HeadingBlock
  | ImageBlock
  | ButtonBlock
  | ColumnsBlock
  | DividerBlock
  | SpacerBlock
  | SocialBlock
  | HtmlBlock
  | FooterBlock
  | RepeatBlock
  | ConditionBlock;

export type BlockKind = Block['kind'];

export const FONTS = ['sans', 'serif', 'rounded', 'mono'] as const;

/** The look of a mail. Absent members have the values of `styleOf`. */
export interface DesignStyle {
  readonly font?: (typeof FONTS)[number];
  /** Buttons and links. */
  readonly color?: Color;
  readonly text?: Color;
  /** Around the mail. */
  readonly background?: Color;
  /** Behind the blocks. */
  readonly surface?: Color;
  /** Pixels by which the corners of buttons are rounded. */
  readonly radius?: number;
  /** Pixels. */
  readonly width?: number;
}

/** A mail made of blocks: what `bodyBlocks` holds. */
export interface Design {
  readonly version: typeof DESIGN_VERSION;
  /** The language of the text, as a language tag. */
  readonly lang?: string;
  readonly style?: DesignStyle;
  readonly blocks: readonly Block[];
}
