import type { Brand } from '../contracts/brand';

interface FooterBrand {
  readonly name: string | null;
  readonly address: string | null;
}

/** Returns what the footer of marketing mail says of its sender; null where there is nothing to say. */
export const footerBrandOf = ({ name, address }: Brand = {}): FooterBrand | null =>
  name === undefined && address === undefined ? null : { name: name ?? null, address: address ?? null };

/** Returns the name that readers know a project by. */
export const senderName = ({ name, brand }: { readonly name: string; readonly brand?: Brand }): string => brand?.name ?? name;

/** Returns black or white: what is better to read on a color given as `#rrggbb`. One of the two always has a contrast of at least 4.5. */
export function inkOn(color: string): '#000' | '#fff' {
  return contrast(color, '#000000') > contrast(color, '#ffffff') ? '#000' : '#fff';
}

const linear = (channel: number): number => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

/** Returns the red, green and blue of a color given as `#rrggbb`, each from 0 to 255. */
export const channelsOf = (color: string): readonly number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** Returns how bright a color is, from 0 to 1 (WCAG 2, relative luminance). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map(linear);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two colors, from 1 to 21 (WCAG 2, contrast ratio). */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
