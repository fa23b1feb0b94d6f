import { inkOn } from '../brand';
import { channelsOf, contrast } from '../color';
import type { Color, DesignStyle } from './model';

type Whole = Required<DesignStyle>;

const NEUTRAL: Whole = {
  font: 'sans',
  color: '#1f5fd0',
  text: '#1f2328',
  background: '#f3f4f6',
  surface: '#ffffff',
  radius: 6,
  width: 600,
};

const FAMILIES: Readonly<Record<Whole['font'], string>> = {
  sans: 'Helvetica,Arial,sans-serif',
  serif: "Georgia,'Times New Roman',serif",
  rounded: "'Trebuchet MS',Verdana,sans-serif",
  mono: "'Courier New',Courier,monospace",
};

/** Returns the whole look of a mail. */
export const styleOf = (style: DesignStyle = {}): Whole => ({ ...NEUTRAL, ...style });

export const familyOf = (font: Whole['font']): string => FAMILIES[font];

/** Colors of a reader who prefers a dark screen. */
export const DARK = { background: '#111315', surface: '#1b1e21', text: '#e8eaed', quiet: '#a9b0b7', line: '#3a3f45' } as const;

export const LINE_COLOR = '#d5d9de';
export const QUIET = '#5c636b';

const hex = (channel: number): string => Math.round(channel).toString(16).padStart(2, '0');

const lighter = (color: Color, share: number): Color =>
  `#${channelsOf(color)
    .map((channel) => hex(channel + (255 - channel) * share))
    .join('')}`;

const SHARES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** Returns the color, as much lighter as it takes to be read on a dark surface. */
export const readableOnDark = (color: Color): Color =>
  SHARES.map((share) => lighter(color, share)).find((candidate) => contrast(candidate, DARK.surface) >= 4.5) ?? '#ffffff';

/** Returns the color of letters on a color: black or white. */
export const inkFor = (color: Color): Color => (inkOn(color) === '#000' ? '#000000' : '#ffffff');
